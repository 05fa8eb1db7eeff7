#pragma once

#include <csignal>

namespace workctl {

/// Holds SIGINT, SIGTERM and SIGHUP back while it lives: between the write of a line and its mark a
/// user's Ctrl-C waits, so that the command can still say what became of it.
class SignalHold {
 public:
  SignalHold() {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalHold() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalHold(const SignalHold&) = delete;
  SignalHold& operator=(const SignalHold&) = delete;

 private:
  sigset_t before_;
};

}  // namespace workctl
