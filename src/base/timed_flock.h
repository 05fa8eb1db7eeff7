#pragma once

/// flock(2) with a bound on the wait.

#include <chrono>

#include "workctl/base/file_system.h"

namespace workctl {

/// Takes the lock `operation` (LOCK_SH or LOCK_EX) on `descriptor`: true once held, false when it
/// was still held elsewhere after `timeout`. Zero only tries. The kernel wakes a waiter the moment
/// the lock is free; meanwhile SIGALRM and the process's interval timer are in use, and are given
/// back after.
SystemResult<bool> timed_flock(int descriptor, int operation, std::chrono::milliseconds timeout);

}  // namespace workctl
