#include "workctl/store/replay.h"

#include <fmt/format.h>

#include "workctl/base/json_patch.h"

namespace workctl {

void Replay::reset() { cleared_ = projection_.clear(); }

Result<void> Replay::apply(Commit&& commit) {
  WORKCTL_CHECK(cleared_);
  for (Write& write : commit.writes) {
    WORKCTL_CHECK(commit.snapshot ? take_over(std::move(write))
                                  : apply(std::move(write), commit.revision));
  }
  projection_.set_position(commit.revision, commit.at);
  return {};
}

Result<void> Replay::take_over(Write&& write) {
  WORKCTL_TRY(const std::uint64_t version, projection_.version(write.collection, write.key));
  if (version != 0)
    return failure(errc::kStoreDamaged,
                   fmt::format("the snapshot holds {} \"{}\" twice", write.collection, write.key));
  std::optional<Json> document;
  if (!write.body.is_null()) document = std::move(write.body);
  return projection_.put(write.collection, write.key, write.version, std::move(document));
}

Result<void> Replay::apply(Write&& write, std::uint64_t revision) {
  WORKCTL_TRY(const std::uint64_t version, projection_.version(write.collection, write.key));
  if (write.version != version + 1) {
    return failure(errc::kStoreDamaged,
                   fmt::format("revision {} makes version {} of {} \"{}\", which is in version {}",
                               revision, write.version, write.collection, write.key, version));
  }
  std::optional<Json> document;
  if (write.form == WriteForm::kPatch) {
    WORKCTL_TRY(document, projection_.take(write.collection, write.key));
    const Result<void> patched =
        document ? apply_patch(*document, write.body)
                 : failure(errc::kInvalidInput, "there is no document to change");
    if (!patched)
      return failure(errc::kStoreDamaged,
                     fmt::format("revision {}, {} \"{}\": {}", revision, write.collection,
                                 write.key, patched.error().message));
  } else if (!write.body.is_null()) {
    document = std::move(write.body);
  }
  return projection_.put(write.collection, write.key, write.version, std::move(document));
}

}  // namespace workctl
