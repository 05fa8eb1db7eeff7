// A log made anew holds what the old one added up to, and goes on where it ended.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "store/staging.h"
#include "support/temporary_directory.h"
#include "workctl/store/local_engine.h"

namespace workctl {
namespace {

/// A store with a note in its third version, one that was removed, and one that nobody touched
/// again.
class CompactedStore {
 public:
  CompactedStore() {
    REQUIRE(create_local_store(path, {.first = {.at = 1, .writes = {}}}, {}, kNoWait).value());
    const auto engine = open();
    write(*engine, "changed", 0, Json{{"n", 1}});
    write(*engine, "changed", 1, Json{{"n", 2}});
    write(*engine, "changed", 2, Json{{"n", 3}});
    write(*engine, "removed", 0, Json{{"n", 1}});
    write(*engine, "removed", 1, std::nullopt);
    write(*engine, "kept", 0, Json{{"text", std::string(100, 'x')}});
  }
  std::unique_ptr<LocalStore> open(bool use_index = true) const {
    return open_local_engine(path, {}, {.use = use_index}).value();
  }
  static void write(Engine& engine, const std::string& key, std::uint64_t base,
                    std::optional<Json> document) {
    const auto session = engine.begin(kNoWait).value();
    REQUIRE(stage(*session, {.collection = "notes",
                             .key = key,
                             .base_version = base,
                             .document = std::move(document),
                             .audit = Json()}));
    REQUIRE(session->commit());
  }

  TemporaryDirectory directory{};
  std::string path = directory / "store";
};

const CompactionRequest kRequest = {.actor = "ada", .at = 70};

std::uint64_t version_of(Engine& engine, const std::string& key) {
  const auto stored = engine.read().value()->get("notes", key).value();
  return stored ? stored->version : 0;
}

TEST_CASE("compaction: documents, versions and revisions go on, with an index and without") {
  for (const bool use_index : {true, false}) {
    CAPTURE(use_index);
    const CompactedStore store;
    const auto engine = store.open(use_index);
    const auto other = store.open(use_index);
    CHECK(version_of(*other, "changed") == 3);
    const Compaction done = engine->compact(kRequest, kNoWait).value();
    CHECK(done.generation == 2);
    CHECK(done.revision == 8);
    CHECK(done.documents == 2);
    CHECK(done.removed == 1);
    CHECK(done.bytes_after == std::filesystem::file_size(store.path + "/work.jsonl"));
    CHECK(version_of(*engine, "changed") == 3);
    CHECK(version_of(*other, "changed") == 3);
    CHECK(version_of(*other, "kept") == 1);
    CHECK(other->read().value()->revision() == 8);
    // What was removed goes on counting.
    CompactedStore::write(*other, "removed", 0, Json{{"n", 9}});
    CHECK(version_of(*engine, "removed") == 3);
    CHECK(engine->read().value()->revision() == 9);
    CHECK(version_of(*store.open(!use_index), "removed") == 3);
  }
}

TEST_CASE("compaction: the index is of the new log at once") {
  const CompactedStore store;
  const std::string before = store.path + "/index/stamp";
  const auto text = [&] {
    std::ifstream file(before);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string stamp = text();
  REQUIRE(store.open()->compact(kRequest, kNoWait));
  const std::string after = text();
  CHECK(after.substr(0, after.find('\n')) == stamp.substr(0, stamp.find('\n')));
  CHECK(after.find("generation 2") != after.npos);
  CHECK(version_of(*store.open(), "changed") == 3);
  CHECK(text() == after);
}

TEST_CASE("compaction: a dry run changes nothing, and tells nearly how long the log would be") {
  const CompactedStore store;
  const auto bytes = std::filesystem::file_size(store.path + "/work.jsonl");
  const auto engine = store.open();
  CompactionRequest request = kRequest;
  request.dry_run = true;
  const Compaction told = engine->compact(request, kNoWait).value();
  CHECK(std::filesystem::file_size(store.path + "/work.jsonl") == bytes);
  CHECK(told.bytes_before == bytes);
  const Compaction done = engine->compact(kRequest, kNoWait).value();
  CHECK(told.documents == done.documents);
  CHECK(told.bytes_after < done.bytes_after);
  CHECK(told.bytes_after + 1000 > done.bytes_after);
}

TEST_CASE("compaction: a reader keeps what it looks at") {
  const CompactedStore store;
  const auto reader = store.open();
  View& view = *reader->read().value();
  const auto engine = store.open();
  REQUIRE(engine->compact(kRequest, kNoWait));
  CompactedStore::write(*engine, "changed", 3, Json{{"n", 4}});
  CHECK(view.get("notes", "changed").value()->version == 3);
  CHECK(version_of(*reader, "changed") == 4);
}

TEST_CASE("compaction: of a compacted log keeps what the first one kept") {
  const CompactedStore store;
  const auto engine = store.open(false);
  REQUIRE(engine->compact(kRequest, kNoWait));
  REQUIRE(engine->compact(kRequest, kNoWait));
  CHECK(store.open()->storage()->generation == 3);
  CHECK(version_of(*store.open(), "changed") == 3);
  CompactedStore::write(*engine, "removed", 0, Json{{"n", 1}});
  CHECK(version_of(*store.open(), "removed") == 3);
}

}  // namespace
}  // namespace workctl
