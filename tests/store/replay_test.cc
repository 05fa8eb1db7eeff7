#include "workctl/store/replay.h"

#include <doctest/doctest.h>

#include "workctl/store/memory_projection.h"

namespace workctl {
namespace {

Commit commit_of(std::uint64_t revision, Write write) {
  Commit commit;
  commit.revision = revision;
  commit.transaction = "tx";
  commit.at = 5;
  commit.writes.push_back(std::move(write));
  return commit;
}

Commit document(std::uint64_t revision, std::uint64_t version, Json body) {
  return commit_of(revision, {"notes", "a", version, WriteForm::kDocument, std::move(body)});
}

Commit patch(std::uint64_t revision, std::uint64_t version, Json body) {
  return commit_of(revision, {"notes", "a", version, WriteForm::kPatch, std::move(body)});
}

std::string refusal(const Result<void>& result) {
  REQUIRE_FALSE(result);
  CHECK(result.error().code == errc::kStoreDamaged);
  return result.error().message;
}

TEST_CASE("replay: documents, patches and removals add up, and versions go on") {
  MemoryProjection documents;
  Replay replay(documents);
  REQUIRE(replay.apply(document(1, 1, {{"n", 1}})));
  REQUIRE(replay.apply(patch(2, 2, {{{"op", "replace"}, {"path", "/n"}, {"value", 2}}})));
  CHECK(*documents.find("notes", "a").value() == Json{{"n", 2}});
  REQUIRE(replay.apply(document(3, 3, nullptr)));
  CHECK(documents.find("notes", "a").value() == nullptr);
  REQUIRE(replay.apply(document(4, 4, 7)));
  CHECK(documents.version("notes", "a").value() == 4);
  CHECK(documents.revision() == 4);
  CHECK(documents.last_commit_at() == 5);
  replay.reset();
  CHECK(documents.find("notes", "a").value() == nullptr);
  CHECK(documents.revision() == 0);
}

TEST_CASE("replay: a version that is not the next one is refused, whichever way it is off") {
  MemoryProjection documents;
  Replay replay(documents);
  CHECK(refusal(replay.apply(document(1, 2, 1))) ==
        "revision 1 makes version 2 of notes \"a\", which is in version 0");
  REQUIRE(replay.apply(document(1, 1, 1)));
  refusal(replay.apply(document(2, 1, 2)));
  refusal(replay.apply(document(2, 3, 2)));
  REQUIRE(replay.apply(document(2, 2, nullptr)));
  refusal(replay.apply(document(3, 1, 2)));
}

TEST_CASE("replay: a patch needs a document that it applies to") {
  MemoryProjection documents;
  Replay replay(documents);
  const Json set_n = {{{"op", "replace"}, {"path", "/n"}, {"value", 2}}};
  const std::string absent = refusal(replay.apply(patch(1, 1, set_n)));
  CHECK(absent.starts_with("revision 1, notes \"a\": "));
  REQUIRE(replay.apply(document(1, 1, {{"m", 1}})));
  refusal(replay.apply(patch(2, 2, set_n)));
}

}  // namespace
}  // namespace workctl
