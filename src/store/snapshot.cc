#include "store/snapshot.h"

#include "workctl/base/random.h"

namespace workctl {

namespace {

/// Bytes of a document in a snapshot, but for its texts: names and punctuation.
constexpr std::uint64_t kSnapshotFrameBytes = 60;

}  // namespace

Result<void> measure_snapshot(Projection& projection, Compaction& done) {
  return projection.each([&](std::string_view collection, std::string_view key, std::uint64_t,
                             std::optional<std::string_view> text) -> Result<void> {
    (text ? done.documents : done.removed) += 1;
    done.bytes_after +=
        kSnapshotFrameBytes + collection.size() + key.size() + (text ? text->size() : 4);
    return {};
  });
}

Result<void> write_snapshot(Projection& projection, const CompactionRequest& request,
                            NextGeneration& next, Compaction& done) {
  WORKCTL_TRY(const StoredSize size, projection.size());
  return projection.each([&](std::string_view collection, std::string_view key,
                             std::uint64_t version,
                             std::optional<std::string_view> text) -> Result<void> {
    (text ? done.documents : done.removed) += 1;
    if (request.progress) request.progress(done.documents, size.documents);
    return next.add({.collection = collection,
                     .key = key,
                     .version = version,
                     .form = WriteForm::kDocument,
                     .body = text.value_or("null")});
  });
}

CommitLine compaction_line(const CompactionRequest& request, const LogPosition& before,
                           std::uint64_t revision) {
  const Json audit = Json::array({{{"kind", "store.compacted"},
                                   {"operation", "store.compact"},
                                   {"subject", request.actor},
                                   {"base_revision", before.revision},
                                   {"revision", revision},
                                   {"previous_head", before.digest},
                                   {"previous_bytes", before.offset},
                                   {"kept", request.keep_old}}});
  CommitLine line;
  line.add(revision, "tx_" + random_hex(16), request.at, {}, canonical_text(audit));
  return line;
}

}  // namespace workctl
