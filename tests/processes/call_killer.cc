#include "processes/call_killer.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <set>

namespace workctl {

namespace {

using Number = std::uint64_t;

const std::set<Number> kWithoutEffect{
    SYS_brk,    SYS_mmap,    SYS_munmap,    SYS_mprotect,   SYS_madvise, SYS_futex, SYS_getpid,
    SYS_getuid, SYS_geteuid, SYS_getrandom, SYS_newfstatat, SYS_fstat,   SYS_lseek, SYS_ioctl};

const std::map<Number, const char*> kNames{{SYS_openat, "openat"},
                                           {SYS_read, "read"},
                                           {SYS_pread64, "pread64"},
                                           {SYS_write, "write"},
                                           {SYS_pwrite64, "pwrite64"},
                                           {SYS_fdatasync, "fdatasync"},
                                           {SYS_fsync, "fsync"},
                                           {SYS_ftruncate, "ftruncate"},
                                           {SYS_renameat, "renameat"},
                                           {SYS_unlinkat, "unlinkat"},
                                           {SYS_mkdirat, "mkdirat"},
                                           {SYS_fchmod, "fchmod"},
                                           {SYS_flock, "flock"},
                                           {SYS_close, "close"},
                                           {SYS_rt_sigprocmask, "rt_sigprocmask"},
                                           {SYS_exit_group, "exit_group"}};

std::string name_of(Number number) {
  const auto found = kNames.find(number);
  return found == kNames.end() ? "call " + std::to_string(number) : found->second;
}

/// The text at an address of the stopped process, as far as it equals `expected`.
bool begins_with(pid_t process, std::uint64_t address, const std::string& expected) {
  for (std::size_t offset = 0; offset < expected.size(); offset += sizeof(long)) {
    errno = 0;
    const long word = ::ptrace(PTRACE_PEEKDATA, process, address + offset, nullptr);
    if (errno != 0) return false;
    const std::size_t count = std::min(sizeof word, expected.size() - offset);
    if (std::memcmp(&word, expected.data() + offset, count) != 0) return false;
  }
  return true;
}

/// The call that the stopped process is about to make; nothing when it comes back from one.
std::optional<__ptrace_syscall_info> call_of(pid_t process) {
  __ptrace_syscall_info info{};
  if (::ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof info, &info) <= 0 ||
      info.op != PTRACE_SYSCALL_INFO_ENTRY)
    return std::nullopt;
  return info;
}

bool names(pid_t process, const __ptrace_syscall_info& info, const std::string& path) {
  return (info.entry.nr == SYS_openat || info.entry.nr == SYS_mkdirat) &&
         begins_with(process, info.entry.args[1], path);
}

}  // namespace

KilledCall run_until_call(const Program& program, const Words& words, std::size_t number) {
  Running running(Program::command(words), program.environment(), true);
  const pid_t process = running.process();
  std::string name;
  bool counting = false;
  std::size_t count = 0;
  int status = 0;
  for (bool started = false;;) {
    if (::waitpid(process, &status, 0) != process) std::abort();
    if (!WIFSTOPPED(status)) return {.ended = running.ended(status), .name = name};
    int signal = 0;
    if (!started) {
      ::ptrace(PTRACE_SETOPTIONS, process, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
      started = true;
    } else if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
      signal = WSTOPSIG(status);
    } else if (const auto info = call_of(process); info && name.empty()) {
      counting = counting || names(process, *info, program.store());
      if (counting && !kWithoutEffect.contains(info->entry.nr) && count++ == number) {
        name = name_of(info->entry.nr);
        running.kill();
      }
    }
    ::ptrace(PTRACE_SYSCALL, process, nullptr, signal);
  }
}

bool tracing_is_permitted(const Program& program) {
  const KilledCall tried = run_until_call(program, {"list"}, 0);
  return tried.ended.killed && tried.name == "openat";
}

}  // namespace workctl
