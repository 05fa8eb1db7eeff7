#include "workctl/store/replay.h"

#include <fmt/format.h>

namespace workctl {

Result<void> Replay::apply(Commit&& commit) {
  for (Write& write : commit.writes) WORKCTL_CHECK(apply(std::move(write), commit.revision));
  projection_.set_position(commit.revision, commit.at);
  return {};
}

Result<void> Replay::apply(Write&& write, std::uint64_t revision) {
  const std::uint64_t version = projection_.version(write.collection, write.key);
  if (write.version != version + 1) {
    return failure(errc::kStoreDamaged,
                   fmt::format("revision {} makes version {} of {} \"{}\", which is in version {}",
                               revision, write.version, write.collection, write.key, version));
  }
  if (write.form == WriteForm::kPatch) {
    auto patched = projection_.patch(write.collection, write.key, write.version, write.body);
    if (patched) return {};
    return failure(errc::kStoreDamaged,
                   fmt::format("revision {}, {} \"{}\": {}", revision, write.collection, write.key,
                               patched.error().message));
  }
  std::optional<Json> document;
  if (!write.body.is_null()) document = std::move(write.body);
  projection_.put(write.collection, write.key, write.version, std::move(document));
  return {};
}

}  // namespace workctl
