#include "captured_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cli/program.h"

namespace workctl::cli {

namespace {

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

CapturedProcess::CapturedProcess(const std::string& directory, const std::function<int()>& body)
    : error_file_(directory + "/stderr") {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) std::abort();
  process_ = ::fork();
  if (process_ == 0) {
    const int error_descriptor = ::open(error_file_.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(error_descriptor, STDERR_FILENO);
    for (const int descriptor : {in[0], in[1], out[0], out[1]}) ::close(descriptor);
    if (::chdir(directory.c_str()) != 0) std::_Exit(99);
    std::_Exit(body());
  }
  ::close(in[0]);
  ::close(out[1]);
  input_ = in[1];
  output_ = out[0];
}

CapturedProcess::~CapturedProcess() {
  close_input();
  if (process_ > 0) wait();
  ::close(output_);
}

void CapturedProcess::write(const std::string& text) {
  if (::write(input_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
}

void CapturedProcess::close_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

std::string CapturedProcess::read_line() {
  for (;;) {
    const std::size_t newline = output.find('\n');
    if (newline != std::string::npos) {
      std::string line = output.substr(0, newline);
      output.erase(0, newline + 1);
      return line;
    }
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(output_, buffer.data(), buffer.size());
    if (count <= 0) return {};
    output.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

int CapturedProcess::wait() {
  close_input();
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(output_, buffer.data(), buffer.size())) > 0;)
    output.append(buffer.data(), static_cast<std::size_t>(count));
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  std::ostringstream text;
  text << std::ifstream(error_file_).rdbuf();
  error = text.str();
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

CapturedProcess run_workctl(const std::string& directory, const std::string& words) {
  return CapturedProcess(directory, [&] {
    ::clearenv();
    ::setenv("HOME", directory.c_str(), 1);
    ::setenv("WORKCTL_STORE", (directory + "/store").c_str(), 1);
    return run_program(split(words));
  });
}

}  // namespace workctl::cli
