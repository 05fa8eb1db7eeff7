#include "processes/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <utility>

namespace workctl {

namespace {

/// Ends the test: the machine does not do its part.
[[noreturn]] void give_up(const char* call) {
  std::perror(call);
  std::abort();
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

int unnamed_file() {
  const int descriptor = ::memfd_create("stream", MFD_CLOEXEC);
  if (descriptor < 0) give_up("memfd_create");
  return descriptor;
}

std::string content(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t got = 0; (got = ::pread(descriptor, buffer.data(), buffer.size(),
                                       static_cast<off_t>(text.size()))) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  return text;
}

}  // namespace

Running::Running(const Words& words, const std::vector<std::string>& environment, bool traced)
    : output_(unnamed_file()), error_(unnamed_file()) {
  const std::vector<char*> arguments = pointers(words);
  const std::vector<char*> variables = pointers(environment);
  process_ = ::fork();
  if (process_ < 0) give_up("fork");
  if (process_ == 0) {  // only what is safe between fork and exec in a program with threads
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output_, STDOUT_FILENO);
    ::dup2(error_, STDERR_FILENO);
    if (traced && ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(77);
    ::execve(arguments[0], arguments.data(), variables.data());
    ::_exit(127);
  }
}

Running::~Running() {
  if (process_ > 0) {
    kill();
    wait();
  }
  ::close(output_);
  ::close(error_);
}

void Running::kill() {
  killed_ = true;
  ::kill(process_, SIGKILL);
}

bool Running::ends_within(std::chrono::microseconds time) const {
  const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process_, 0));
  if (descriptor < 0) give_up("pidfd_open");
  pollfd ended{.fd = descriptor, .events = POLLIN, .revents = 0};
  const timespec limit{.tv_sec = time.count() / 1'000'000,
                       .tv_nsec = time.count() % 1'000'000 * 1000};
  const int ready = ::ppoll(&ended, 1, &limit, nullptr);
  ::close(descriptor);
  return ready > 0;
}

Ended Running::wait() {
  int status = 0;
  if (::waitpid(process_, &status, 0) != process_) give_up("waitpid");
  return ended(status);
}

Ended Running::ended(int wait_status) {
  process_ = -1;
  const bool signalled = WIFSIGNALED(wait_status);
  return {.status = signalled ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status),
          .killed = killed_ && signalled,
          .output = content(output_),
          .error = content(error_)};
}

Program::Program(const std::string& store) : store_(store) {
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("WORKCTL_")) environment_.emplace_back(*variable);
  }
  environment_.push_back("WORKCTL_STORE=" + store);
}

Words Program::command(const Words& words) {
  Words all{WORKCTL_PROGRAM};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

Ended Program::run(const Words& words, std::optional<std::chrono::microseconds> life) const {
  Running running(command(words), environment_);
  if (life && !running.ends_within(*life)) running.kill();
  return running.wait();
}

}  // namespace workctl
