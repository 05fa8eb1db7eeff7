#include "store/index/index_replay.h"

namespace workctl {

namespace {
constexpr std::size_t kPortionWrites = 8192;
}

Result<void> IndexReplay::apply(Commit&& commit) {
  writes_ += commit.writes.size();
  WORKCTL_CHECK(replay_.apply(std::move(commit)));
  if (writes_ < kPortionWrites) return {};
  writes_ = 0;
  WORKCTL_TRY(const bool done, index_.commit({}));
  return done ? Result<void>() : failure(errc::kIndexUnusable, "index: another hand locks it");
}

Result<void> IndexTail::apply(Commit&& commit) {
  if (replaced_) return failure(errc::kIndexUnusable, "index: the log was replaced");
  return replay_.apply(std::move(commit));
}

}  // namespace workctl
