#pragma once

/// From the commits of a log to documents.

#include "workctl/journal/journal.h"
#include "workctl/store/projection.h"

namespace workctl {

/// Adds up commits in a projection. A commit that does not follow on is refused as `kStoreDamaged`,
/// naming revision and document: a version that is not the next one, or a patch that does not
/// apply.
class Replay final : public CommitSink {
 public:
  /// The projection must outlive it.
  explicit Replay(Projection& projection) : projection_(projection) {}

  void reset() override;
  Result<void> apply(Commit&& commit) override;

 private:
  Result<void> apply(Write&& write, std::uint64_t revision);
  Result<void> take_over(Write&& write);

  Projection& projection_;
  Result<void> cleared_{};
};

}  // namespace workctl
