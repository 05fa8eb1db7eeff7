#include "base/timed_flock.h"

#include <sys/file.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace workctl {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

extern "C" void interrupt_only(int) {}

timeval to_timeval(microseconds duration) {
  return {.tv_sec = static_cast<time_t>(duration.count() / 1'000'000),
          .tv_usec = static_cast<suseconds_t>(duration.count() % 1'000'000)};
}

microseconds from_timeval(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + microseconds(time.tv_usec);
}

/// While it lives SIGALRM interrupts system calls, first after `delay` and then again and again:
/// one that arrives just before the call goes to sleep would otherwise be lost.
class Alarm {
 public:
  explicit Alarm(milliseconds delay) : started_(steady_clock::now()) {
    struct sigaction action {};
    action.sa_handler = interrupt_only;  // without SA_RESTART
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, &old_action_);
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarm_only, &old_mask_);
    constexpr milliseconds kRepeat{20};
    const itimerval timer{.it_interval = to_timeval(kRepeat), .it_value = to_timeval(delay)};
    setitimer(ITIMER_REAL, &timer, &old_timer_);
  }

  ~Alarm() {
    const itimerval off{};
    setitimer(ITIMER_REAL, &off, nullptr);
    sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
    sigaction(SIGALRM, &old_action_, nullptr);
    // A timer that was running goes on from where it would be; one that ran out meanwhile is due
    // now.
    const microseconds left = from_timeval(old_timer_.it_value);
    if (left == microseconds::zero()) return;
    const auto passed = std::chrono::duration_cast<microseconds>(steady_clock::now() - started_);
    old_timer_.it_value = to_timeval(std::max(left - passed, microseconds(1)));
    setitimer(ITIMER_REAL, &old_timer_, nullptr);
  }

  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

 private:
  steady_clock::time_point started_;
  struct sigaction old_action_ {};
  sigset_t old_mask_{};
  itimerval old_timer_{};
};

}  // namespace

SystemResult<bool> timed_flock(int descriptor, int operation, milliseconds timeout) {
  const auto started = steady_clock::now();
  const auto time_is_up = [&] { return steady_clock::now() - started >= timeout; };
  const auto failed = [] { return std::unexpected(SystemError{errno, "flock"}); };

  while (flock(descriptor, operation | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return failed();
    if (timeout <= milliseconds::zero()) return false;

    const Alarm alarm(timeout);
    while (flock(descriptor, operation) != 0) {
      if (errno != EINTR) return failed();
      if (time_is_up()) return false;
    }
    return true;
  }
  return true;
}

}  // namespace workctl
