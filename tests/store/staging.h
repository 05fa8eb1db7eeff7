#pragma once

/// One write, the shortest way.

#include <chrono>
#include <utility>

#include "workctl/store/engine.h"

namespace workctl {

inline constexpr std::chrono::milliseconds kNoWait{0};

inline Result<void> stage(Session& session, DocumentWrite write) {
  Transaction transaction{.at = 50, .writes = {}};
  transaction.writes.push_back(std::move(write));
  return session.stage(std::move(transaction));
}

}  // namespace workctl
