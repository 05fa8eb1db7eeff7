// One engine that lives through failed calls: what it says afterwards is what the log holds.

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>

#include "store/staging.h"
#include "support/simulated_file_system.h"
#include "workctl/store/local_engine.h"

namespace workctl {
namespace {

DocumentWrite note(const std::string& key, std::uint64_t base_version,
                   std::optional<Json> document) {
  return {.collection = "notes",
          .key = key,
          .base_version = base_version,
          .document = std::move(document)};
}

/// A machine with a store that holds the note "a", and one engine open on it.
class FailingStore {
 public:
  FailingStore() {
    NewStore store;
    store.first.writes.push_back(note("a", 0, Json{{"x", 1}}));
    REQUIRE(create_local_store("/store", store, {.file_system = &machine}, kNoWait).value());
    engine = open();
  }
  std::unique_ptr<Engine> open() {
    return open_local_engine("/store", {.file_system = &machine}).value();
  }
  std::string log() const { return machine.contents("/store/work.jsonl"); }
  auto lines() const {
    const std::string text = log();
    return std::count(text.begin(), text.end(), '\n');
  }

  SimulatedFileSystem machine;
  std::unique_ptr<Engine> engine;
};

std::vector<std::string> notes(Engine& engine) {
  const auto view = engine.read();
  REQUIRE_MESSAGE(view, view.error().message);
  return (*view)->keys("notes").value();
}

using Keys = std::vector<std::string>;

TEST_CASE("store: each commit of a session is in the log once") {
  FailingStore store;
  const auto lines = store.lines();
  {
    const auto session = store.engine->begin(kNoWait).value();
    REQUIRE(stage(*session, note("b", 0, Json{{"x", 2}})));
    REQUIRE(session->commit());
    REQUIRE(session->commit());
    CHECK(store.lines() == lines + 1);
    REQUIRE(stage(*session, note("c", 0, Json{{"x", 3}})));
    REQUIRE(session->commit());
  }
  CHECK(store.lines() == lines + 2);
  CHECK(notes(*store.engine) == Keys{"a", "b", "c"});
  CHECK(notes(*store.open()) == Keys{"a", "b", "c"});
}

TEST_CASE("store: what a failed commit had staged is gone, and the engine goes on") {
  FailingStore store;
  const std::string before = store.log();
  {
    const auto session = store.engine->begin(kNoWait).value();
    REQUIRE(stage(*session, note("a", 1, Json{{"x", 2}})));
    REQUIRE(stage(*session, note("b", 0, Json{{"x", 2}})));
    store.machine.fail("pwrite", 1, ENOSPC);
    CHECK(session->commit().error().code == errc::kIoFailure);
    store.machine.stop_failing();
    REQUIRE(session->commit());
    CHECK(store.log() == before);
    CHECK(session->keys("notes").value() == Keys{"a"});
    CHECK(session->get("notes", "a").value()->document == Json{{"x", 1}});
  }
  CHECK(notes(*store.engine) == Keys{"a"});
  const auto session = store.engine->begin(kNoWait).value();
  REQUIRE(stage(*session, note("a", 1, Json{{"x", 3}})));
  REQUIRE(session->commit());
  CHECK(store.open()->read().value()->get("notes", "a").value()->document == Json{{"x", 3}});
}

TEST_CASE("store: after a failed sync a session is over, and its engine reads anew what is there") {
  for (const bool stored : {true, false}) {
    CAPTURE(stored);
    FailingStore store;
    {
      const auto session = store.engine->begin(kNoWait).value();
      REQUIRE(stage(*session, note("b", 0, Json{{"x", 2}})));
      store.machine.fail("fdatasync", 1, EIO);
      CHECK(session->commit().error().code == errc::kOutcomeUnknown);
      store.machine.stop_failing();
      CHECK(session->commit().error().code == errc::kBug);
      CHECK(session->keys("notes").value() == Keys{"a"});
    }
    if (!stored) store.machine.drop_clean_pages();
    const Keys expected = notes(*store.open());
    SUBCASE("by reading") { CHECK(notes(*store.engine) == expected); }
    SUBCASE("by writing") {
      const auto session = store.engine->begin(kNoWait);
      REQUIRE_MESSAGE(session, session.error().message);
      CHECK((*session)->keys("notes").value() == expected);
      REQUIRE(stage(**session, note("c", 0, Json{{"x", 3}})));
      REQUIRE((*session)->commit());
    }
    CHECK(notes(*store.engine) == notes(*store.open()));
  }
}

TEST_CASE("store: a turn that fails to begin is given back at once") {
  FailingStore store;
  const auto other = store.open();
  REQUIRE(notes(*other) == Keys{"a"});
  store.machine.fail("pread", 1, EIO);
  CHECK(store.engine->begin(kNoWait).error().code == errc::kIoFailure);
  store.machine.stop_failing();
  {
    const auto session = other->begin(kNoWait);
    REQUIRE_MESSAGE(session, session.error().message);
    REQUIRE(stage(**session, note("b", 0, Json{{"x", 2}})));
    REQUIRE((*session)->commit());
  }
  CHECK(store.engine->begin(kNoWait).value()->keys("notes").value() == Keys{"a", "b"});
}

}  // namespace
}  // namespace workctl
