#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "store/staging.h"
#include "support/simulated_file_system.h"
#include "support/temporary_directory.h"
#include "workctl/journal/journal.h"
#include "workctl/store/local_engine.h"

namespace workctl {
namespace {

std::unique_ptr<Engine> new_store(const std::string& path, const Journal::Options& options) {
  NewStore store;
  store.first.writes.push_back({.collection = "notes", .key = "a", .document = Json{{"x", 1}}});
  REQUIRE(create_local_store(path, store, options, kNoWait).value());
  return open_local_engine(path, options).value();
}

TEST_CASE("session: what it changed and removed is as before when it ends without a commit") {
  SimulatedFileSystem machine;
  const auto engine = new_store("/store", {.file_system = &machine});
  for (const auto& document : {std::optional<Json>(Json{{"x", 2}}), std::optional<Json>()}) {
    REQUIRE(stage(*engine->begin(kNoWait).value(),
                  {.collection = "notes", .key = "a", .base_version = 1, .document = document}));
    const auto found = engine->read().value()->get("notes", "a").value();
    REQUIRE(found);
    CHECK(found->version == 1);
    CHECK(found->document == Json{{"x", 1}});
  }
}

TEST_CASE("session: only workloads hold result ids, and one that is removed holds none") {
  SimulatedFileSystem machine;
  const auto engine = new_store("/store", {.file_system = &machine});
  const auto session = engine->begin(kNoWait).value();
  const Json document = {{"state", "SUCCEEDED"}, {"result", {{"result_id", "r"}}}};
  const std::string workloads(kWorkloads);
  REQUIRE(stage(*session, {.collection = workloads, .key = "w1", .document = document}));
  CHECK(stage(*session, {.collection = "notes", .key = "n", .document = document}));
  CHECK(
      stage(*session, {.collection = workloads, .key = "w2", .document = document}).error().code ==
      errc::kResultDuplicate);
  REQUIRE(stage(*session, {.collection = workloads, .key = "w1", .base_version = 1}));
  CHECK(stage(*session, {.collection = workloads, .key = "w2", .document = document}));
}

TEST_CASE("session: a write without an audit adds none, and the audit of a removal has no digest") {
  SimulatedFileSystem machine;
  const auto engine = new_store("/store", {.file_system = &machine});
  const auto last_audit = [&] {
    const std::string log = machine.contents("/store/work.jsonl");
    const std::size_t begin = log.rfind('\n', log.size() - 2) + 1;
    return Json::parse(log.substr(begin))["commits"][0]["audit"];
  };
  const auto session = engine->begin(kNoWait).value();
  REQUIRE(stage(*session, {.collection = "notes", .key = "b", .document = Json{{"x", 2}}}));
  REQUIRE(session->commit());
  CHECK(last_audit() == Json::array());
  REQUIRE(stage(
      *session,
      {.collection = "notes", .key = "b", .base_version = 1, .audit = Json{{"kind", "removal"}}}));
  REQUIRE(session->commit());
  REQUIRE(last_audit().size() == 1);
  CHECK(last_audit()[0]["kind"] == "removal");
  CHECK_FALSE(last_audit()[0].contains("source_digest"));
}

TEST_CASE("session: a transaction that is refused takes no revision from those around it") {
  SimulatedFileSystem machine;
  const Journal::Options options{.file_system = &machine};
  const auto engine = new_store("/store", options);
  const auto session = engine->begin(kNoWait).value();
  REQUIRE(stage(*session, {.collection = "notes", .key = "b", .document = Json{{"x", 2}}}));
  CHECK(stage(*session, {.collection = "notes", .key = "b", .document = Json{{"x", 3}}})
            .error()
            .code == errc::kConflict);
  CHECK(session->revision() == 2);
  REQUIRE(stage(*session, {.collection = "notes", .key = "c", .document = Json{{"x", 4}}}));
  CHECK(session->revision() == 3);
  REQUIRE(session->commit());
  const auto again = open_local_engine("/store", options).value();
  const auto view = again->read();
  REQUIRE_MESSAGE(view, view.error().message);
  CHECK((*view)->revision() == 3);
}

TEST_CASE("session: what would make the line too long is refused, what was staged before stays") {
  TemporaryDirectory directory;
  const auto engine = new_store(directory / "store", {});
  const auto session = engine->begin(kNoWait).value();
  const Json large = std::string(kLineBytesMax * 3 / 8, 'x');
  CHECK(stage(*session, {.collection = "notes", .key = "b", .document = large}));
  CHECK(stage(*session, {.collection = "notes", .key = "c", .document = large}));
  const std::uint64_t bytes = session->staged_bytes();
  CHECK(stage(*session, {.collection = "notes", .key = "d", .document = large}).error().code ==
        errc::kTooLarge);
  CHECK(session->staged() == 2);
  CHECK(session->staged_bytes() == bytes);
  CHECK(session->keys("notes").value() == std::vector<std::string>{"a", "b", "c"});
  CHECK(stage(*session, {.collection = "notes", .key = "d", .document = Json{{"x", 4}}}));
}

}  // namespace
}  // namespace workctl
