#pragma once

// From a log to an index of it.

#include "store/index/index.h"
#include "workctl/store/replay.h"

namespace workctl {

/// Takes the whole of a log into an index, in portions that fit into memory. The index must be one
/// that nobody else has yet; where the log ends is left to be said by its user's own `commit`.
class IndexReplay final : public CommitSink {
 public:
  explicit IndexReplay(Index& index) : index_(index), replay_(index.projection()) {}
  void reset() override { replay_.reset(); }
  Result<void> apply(Commit&& commit) override;

 private:
  Index& index_;
  Replay replay_;
  std::size_t writes_ = 0;
};

/// Takes what an index lacks, and does not go on where the log was replaced.
class IndexTail final : public CommitSink {
 public:
  explicit IndexTail(Index& index) : replay_(index.projection()) {}
  void reset() override { replaced_ = true; }
  Result<void> apply(Commit&& commit) override;
  bool replaced() const { return replaced_; }

 private:
  Replay replay_;
  bool replaced_ = false;
};

}  // namespace workctl
