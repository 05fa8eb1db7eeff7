#include "workctl/workload/migration.h"

#include <doctest/doctest.h>

#include "workload/bench.h"

namespace workctl {
namespace {

constexpr std::uint64_t kOneLine = UINT64_MAX;

Json legacy_workload(const std::string& id, const std::string& key) {
  Json document = sample_workload().document();
  document["workload_id"] = id;
  document["idempotency_key"] = key;
  return document;
}

/// A legacy file of two workloads, the second with a result, whose derived members match.
Json legacy_file() {
  Json second = legacy_workload("b", "two");
  second["execution_history"][0]["sequence"] = 7;
  second["result"] = {{"result_id", "r"},   {"workload_id", "b"},
                      {"attempt_id", "x"},  {"status", "succeeded"},
                      {"output", nullptr},  {"output_hash", ""},
                      {"artifacts", {"z"}}, {"provenance", Json::object()},
                      {"produced_by", "w"}, {"created_at", 1},
                      {"schema_version", 1}};
  return {{"workloads", {{"a", legacy_workload("a", "one")}, {"b", second}}},
          {"idempotency", {{"t:app:one", "a"}, {"t:app:two", "b"}}},
          {"result_ids", {{"r", "b"}}},
          {"event_sequence", 7}};
}

Result<MigrationReport> migrate_into(Bench& bench, const Json& legacy) {
  return migrate(bench.session, canonical_text(legacy), 500, kOneLine, {});
}

std::size_t stored(Bench& bench) { return bench.session.keys(kWorkloads).value().size(); }

void check_refused(const Json& legacy, const char* code, const std::string& reason) {
  Bench bench;
  const auto refused = migrate_into(bench, legacy);
  CHECK(code_of(refused) == code);
  CAPTURE(refused.error().message);
  CHECK(refused.error().message.find(reason) != std::string::npos);
  CHECK(stored(bench) == 0);
  CHECK(bench.session.staged() == 0);
}

template <class Change>
Json changed(Change change) {
  Json legacy = legacy_file();
  change(legacy);
  return legacy;
}

TEST_CASE("migrate: a good file is taken over whole, and again without a change") {
  Bench bench;
  const auto report = migrate_into(bench, legacy_file());
  REQUIRE_MESSAGE(report, report.error().message);
  CHECK(report->imported == std::vector<std::string>{"a", "b"});
  CHECK(report->skipped == 0);
  CHECK(same_value(bench.document("b"), legacy_file().at("workloads").at("b")));
  CHECK(bench.session.audits().back().at("kind") == "workload_migration");
  CHECK(bench.session.audits().back().at("migration_outcome") == "imported");
  CHECK(bench.session.audits().back().at("source_kind") == "legacy_file");
  const auto again = migrate_into(bench, legacy_file());
  REQUIRE(again);
  CHECK(again->imported.empty());
  CHECK(again->skipped == 2);
  CHECK(bench.version("a") == 1);
}

TEST_CASE("migrate: an empty file asks for nothing, and unknown members mean nothing") {
  Bench bench;
  REQUIRE(migrate_into(bench, Json::object()));
  REQUIRE(migrate_into(bench, {{"unknown", 1}, {"workloads", Json::object()}}));
  CHECK(stored(bench) == 0);
  REQUIRE(migrate_into(bench, legacy_file()));
  REQUIRE(migrate_into(bench, Json::object()));
  CHECK(stored(bench) == 2);
}

TEST_CASE("migrate: members of other programs come along, at every depth") {
  Bench bench;
  Json legacy = legacy_file();
  legacy["workloads"]["a"]["extra"] = {{"deep", 1.0}};
  legacy["workloads"]["a"]["requested_by"]["extra"] = 1;
  legacy["workloads"]["a"]["execution_history"][0]["extra"] = 1;
  legacy["workloads"]["a"]["authorization_snapshot"]["extra"] = 1;
  REQUIRE(migrate_into(bench, legacy));
  CHECK(same_value(bench.document("a"), legacy.at("workloads").at("a")));
}

TEST_CASE("migrate: it goes beside other work, and what has moved on is a conflict") {
  Bench bench;
  const std::string own = bench.create();
  REQUIRE(migrate_into(bench, legacy_file()));
  CHECK(stored(bench) == 3);
  REQUIRE(bench.authority.cancel("a", "op", 600));
  const auto refused = migrate_into(bench, legacy_file());
  CHECK(code_of(refused) == "WORKLOAD_MIGRATION_CONFLICT");
  CHECK(refused.error().message == "workload a is stored already, in another form");
  CHECK(refused.error().workload_id == "a");
}

TEST_CASE("migrate: a key or result that stored work holds is a conflict") {
  const auto refused = [](const Json& stored_document) {
    Bench bench;
    bench.session.plant(kWorkloads, "other", stored_document);
    const auto report = migrate_into(bench, legacy_file());
    CHECK(code_of(report) == "WORKLOAD_MIGRATION_CONFLICT");
    CHECK(stored(bench) == 1);
    return report.error().message;
  };
  CHECK(refused(legacy_workload("other", "one")) ==
        "the idempotency key of workload a belongs to stored workload other");
  Json other = legacy_file().at("workloads").at("b");
  other["workload_id"] = "other";
  other["idempotency_key"] = "three";
  CHECK(refused(other) == "the result id r of workload b belongs to stored workload other");
}

TEST_CASE("migrate: what is no legacy file is unreadable") {
  const char* code = "DOCUMENT_UNREADABLE";
  Bench bench;
  for (const char* text : {"", "{", "[1,]", "\xff", R"({"workloads":{}} x)"})
    CHECK(code_of(migrate(bench.session, text, 1, kOneLine, {})) == code);
  const auto broken = migrate(bench.session, "{\n  \"workloads\": {,\n", 1, kOneLine, {});
  CHECK(broken.error().message.find("2") != std::string::npos);
  check_refused(Json::array(), code, "it is not an object");
  check_refused({{"workloads", Json::array()}}, code, "workloads must be an object");
  check_refused({{"idempotency", {{"a", 1}}}}, code, "idempotency must be an object of strings");
  check_refused({{"result_ids", nullptr}}, code, "result_ids must be an object of strings");
  check_refused({{"event_sequence", -1}}, code, "event_sequence must be a whole number");
}

TEST_CASE("migrate: a broken entry is named, and nothing of the file is stored") {
  check_refused(changed([](Json& legacy) { legacy["workloads"]["b"].erase("tenant_id"); }),
                "DOCUMENT_UNREADABLE",
                "the legacy file's entry b: workload b cannot be read: tenant_id is missing");
  check_refused(changed([](Json& legacy) { legacy["workloads"]["b"] = 5; }), "DOCUMENT_UNREADABLE",
                "the legacy file's entry b: ");
  check_refused(changed([](Json& legacy) {
                  legacy["workloads"]["x"] = legacy["workloads"]["a"];
                  legacy["workloads"]["b"].erase("state");
                }),
                "DOCUMENT_UNREADABLE", "state is missing");
}

TEST_CASE("migrate: derived members must match the file's own workloads") {
  const char* code = "WORKLOAD_MIGRATION_CONFLICT";
  const std::string end = " does not match its workloads";
  for (const char* name : {"idempotency", "result_ids", "event_sequence"})
    check_refused(changed([&](Json& legacy) { legacy.erase(name); }), code, name + end);
  check_refused(changed([](Json& legacy) { legacy["idempotency"]["t:app:x"] = "a"; }), code,
                "idempotency" + end);
  check_refused(changed([](Json& legacy) { legacy["idempotency"]["t:app:one"] = "b"; }), code,
                "idempotency" + end);
  check_refused(changed([](Json& legacy) { legacy["result_ids"]["r"] = "a"; }), code,
                "result_ids" + end);
  check_refused(changed([](Json& legacy) { legacy["event_sequence"] = 8; }), code,
                "event_sequence" + end);
}

TEST_CASE("migrate: a workload under another key is a conflict") {
  check_refused(changed([](Json& legacy) {
                  legacy["workloads"]["c"] = legacy["workloads"]["b"];
                  legacy["workloads"].erase("b");
                }),
                "WORKLOAD_MIGRATION_CONFLICT", "the legacy file has workload b under c");
}

TEST_CASE("migrate: two requesters may share a legacy key, and the last id counts") {
  Json legacy = legacy_file();
  legacy["workloads"]["b"]["idempotency_key"] = "one";
  legacy["workloads"]["b"]["requested_by"]["id"] = "bob";
  legacy["idempotency"] = {{"t:app:one", "a"}};
  check_refused(legacy, "WORKLOAD_MIGRATION_CONFLICT", "idempotency does not match");
  legacy["idempotency"] = {{"t:app:one", "b"}};
  Bench bench;
  CHECK(migrate_into(bench, legacy));
}

TEST_CASE("migrate: one key or one result for two workloads of the file is a conflict") {
  check_refused(changed([](Json& legacy) {
                  legacy["workloads"]["b"]["idempotency_key"] = "one";
                  legacy["idempotency"] = {{"t:app:one", "b"}};
                }),
                "WORKLOAD_MIGRATION_CONFLICT",
                "the legacy file has another workload with the idempotency key of b");
  check_refused(changed([](Json& legacy) {
                  legacy["workloads"]["a"]["result"] = legacy["workloads"]["b"]["result"];
                }),
                "WORKLOAD_MIGRATION_CONFLICT",
                "the legacy file has another workload with the result id r of b");
}

TEST_CASE("migrate: it commits whenever a line is full, and leaves the rest to its caller") {
  Json legacy = Json::object();
  for (int i = 0; i < 10; ++i) {
    const std::string id = "w" + std::to_string(i);
    legacy["workloads"][id] = legacy_workload(id, id);
    legacy["idempotency"]["t:app:" + id] = id;
  }
  legacy["event_sequence"] = 1;
  Bench bench;
  std::vector<std::string> stages;
  const auto report =
      migrate(bench.session, canonical_text(legacy), 500, 3 * MemorySession::kBytesEach,
              [&](std::string_view stage, std::uint64_t done, std::uint64_t count) {
                stages.emplace_back(stage);
                CHECK(done == 10);
                CHECK(count == 10);
              });
  REQUIRE(report);
  CHECK(bench.session.commits() == 3);
  CHECK(bench.session.staged() == 1);
  CHECK(stages == std::vector<std::string>{"read", "check", "write"});
}

TEST_CASE("migrate: what a stopped migration left is completed by the next") {
  Bench bench;
  bench.session.plant(kWorkloads, "a", legacy_file().at("workloads").at("a"));
  const auto report = migrate_into(bench, legacy_file());
  REQUIRE(report);
  CHECK(report->imported == std::vector<std::string>{"b"});
  CHECK(report->skipped == 1);
}

}  // namespace
}  // namespace workctl
