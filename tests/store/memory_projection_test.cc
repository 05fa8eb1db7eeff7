#include "workctl/store/memory_projection.h"

#include <doctest/doctest.h>

namespace workctl {
namespace {

/// A workload with what the store looks at, READY in tenant t, application a.
Json work(const std::string& key, const std::string& state = "READY") {
  return Json{{"tenant_id", "t"},
              {"application_id", "a"},
              {"definition_id", "d"},
              {"state", state},
              {"priority", 0},
              {"created_at", 100},
              {"requested_by", {{"kind", "human"}, {"id", "me"}}},
              {"idempotency_key", key},
              {"capability_snapshot", Json::array()},
              {"dependencies", Json::array()},
              {"next_attempt_at", nullptr},
              {"current_claim", nullptr},
              {"result", nullptr}};
}

ReadyQuery query(Instant now = 1000, std::set<std::string> capabilities = {}) {
  return {.tenant = "t", .application = "a", .capabilities = std::move(capabilities), .now = now};
}

using Ids = std::vector<std::string>;

class ProjectedStore {
 public:
  void put(const std::string& id, Json document) {
    REQUIRE(projection.put(kWorkloads, id, projection.version(kWorkloads, id).value() + 1,
                           std::move(document)));
  }
  Ids ready(const ReadyQuery& q, std::size_t limit = 100) {
    return projection.ready(q, limit).value();
  }
  MemoryProjection projection;
};

TEST_CASE("store: a document is found in the version it was put") {
  MemoryProjection projection;
  REQUIRE(projection.put("notes", "k", 3, Json{{"a", 1}}));
  const auto found = projection.get("notes", "k").value();
  REQUIRE(found);
  CHECK(found->version == 3);
  CHECK(found->document.at("a") == 1);
  CHECK_FALSE(projection.get("notes", "other").value());
  CHECK_FALSE(projection.get("others", "k").value());
}

TEST_CASE("store: a removed document is gone and its version is kept") {
  ProjectedStore store;
  store.put("w", work("k"));
  REQUIRE(store.projection.put(kWorkloads, "w", 2, std::nullopt));
  CHECK_FALSE(store.projection.get(kWorkloads, "w").value());
  CHECK(store.projection.version(kWorkloads, "w").value() == 2);
  CHECK(store.projection.keys(kWorkloads).value().empty());
  CHECK(store.ready(query()).empty());
  CHECK_FALSE(store.projection.find_by_scope(scope_text("t", "a", "human", "me", "k")).value());
}

TEST_CASE("store: ready work comes by priority, then age, then id") {
  ProjectedStore store;
  const auto put = [&](const std::string& id, int priority, Instant created_at) {
    Json document = work(id);
    document["priority"] = priority;
    document["created_at"] = created_at;
    store.put(id, document);
  };
  put("d", 0, 5);
  put("c", 0, 5);
  put("b", 0, 4);
  put("a", -1, 1);
  put("e", 7, 9);
  CHECK(store.ready(query()) == Ids{"e", "b", "c", "d", "a"});
  CHECK(store.ready(query(), 2) == Ids{"e", "b"});
}

TEST_CASE("store: work is ready only in its own tenant and application") {
  ProjectedStore store;
  store.put("w", work("k"));
  ReadyQuery other = query();
  other.tenant = "a";
  CHECK(store.ready(other).empty());
  other = query();
  other.application = "t";
  CHECK(store.ready(other).empty());
}

TEST_CASE("store: work that is early, beyond the worker's capabilities or not READY is not ready") {
  ProjectedStore store;
  Json early = work("early");
  early["next_attempt_at"] = 500;
  store.put("early", early);
  Json special = work("special");
  special["capability_snapshot"] = {"gpu", "mail"};
  store.put("special", special);
  store.put("running", work("running", "RUNNING"));
  CHECK(store.ready(query(499)).empty());
  CHECK(store.ready(query(500)) == Ids{"early"});
  CHECK(store.ready(query(1, {"gpu"})).empty());
  CHECK(store.ready(query(1, {"gpu", "mail", "more"})) == Ids{"special"});
}

TEST_CASE("store: work waits until each dependency is there and in exactly its required state") {
  ProjectedStore store;
  Json waiting = work("w");
  waiting["dependencies"] = Json::array({{{"workload_id", "x"}, {"required_state", "SUCCEEDED"}},
                                         {{"workload_id", "y"}, {"required_state", "FAILED"}}});
  store.put("w", waiting);
  CHECK(store.ready(query()).empty());
  store.put("x", work("x", "SUCCEEDED"));
  store.put("y", work("y", "DEAD_LETTER"));
  CHECK(store.ready(query()).empty());
  store.put("y", work("y", "FAILED"));
  CHECK(store.ready(query()) == Ids{"w"});
}

TEST_CASE("store: leases that ended come by id, and only in states that are held") {
  ProjectedStore store;
  const auto held = [&](const std::string& id, const std::string& state, Instant expires_at) {
    Json document = work(id, state);
    document["current_claim"] = {{"expires_at", expires_at}};
    store.put(id, document);
  };
  held("d", "CANCELLATION_REQUESTED", 10);
  held("c", "CLAIMED", 11);
  held("b", "RUNNING", 12);
  held("a", "CHECKPOINTED", 9);
  held("z", "READY", 1);
  CHECK(store.projection.expired_leases(8).value().empty());
  CHECK(store.projection.expired_leases(11).value() == Ids{"a", "c", "d"});
  held("a", "CHECKPOINTED", 40);
  CHECK(store.projection.expired_leases(20).value() == Ids{"b", "c", "d"});
}

TEST_CASE("store: results and scopes are found until their workload is changed or removed") {
  ProjectedStore store;
  Json done = work("k", "SUCCEEDED");
  done["result"] = {{"result_id", "r"}};
  store.put("w", done);
  CHECK(store.projection.find_by_result("r").value() == "w");
  CHECK(store.projection.find_by_scope(R"(["t","a","human","me","k"])").value() == "w");
  store.put("w", work("k", "SUCCEEDED"));
  CHECK_FALSE(store.projection.find_by_result("r").value());
}

TEST_CASE("store: a list is paged without gaps and says when there is more") {
  ProjectedStore store;
  for (const char* id : {"a", "b", "c", "d", "e"}) store.put(id, work(id));
  store.put("other", [] {
    Json document = work("other");
    document["tenant_id"] = "u";
    return document;
  }());
  ListFilter filter;
  filter.tenant = "t";
  Ids all;
  std::string cursor;
  int pages = 0;
  do {
    const auto page = store.projection.list(filter, cursor, 2).value();
    CHECK(page.keys.size() <= 2);
    all.insert(all.end(), page.keys.begin(), page.keys.end());
    cursor = page.next;
    ++pages;
  } while (!cursor.empty());
  CHECK(all == Ids{"a", "b", "c", "d", "e"});
  CHECK(pages == 3);
}

TEST_CASE("store: a list knows states and definitions, and refuses a cursor that is none") {
  ProjectedStore store;
  store.put("a", work("a"));
  store.put("b", work("b", "RUNNING"));
  ListFilter filter;
  filter.states = {"RUNNING", "FAILED"};
  CHECK(store.projection.list(filter, "", 10).value().keys == Ids{"b"});
  filter = {};
  filter.definition = "e";
  CHECK(store.projection.list(filter, "", 10).value().keys.empty());
  for (const char* cursor : {"x", "1:", "1:2", ":2:a", "a:b:c"}) {
    CAPTURE(cursor);
    const auto refused = store.projection.list({}, cursor, 10);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::kInvalidInput);
  }
}

TEST_CASE("store: a document with members of other types counts as having none") {
  ProjectedStore store;
  store.put("w", Json{{"tenant_id", 7},
                      {"priority", "high"},
                      {"dependencies", "none"},
                      {"capability_snapshot", 3},
                      {"result", 1},
                      {"current_claim", 5},
                      {"state", "CLAIMED"}});
  store.put("x", Json(5));
  CHECK(store.projection.list({}, "", 10).value().keys == Ids{"w", "x"});
  CHECK(store.projection.expired_leases(INT64_MAX).value().empty());
}

}  // namespace
}  // namespace workctl
