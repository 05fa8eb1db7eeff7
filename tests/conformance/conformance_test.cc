#include <doctest/doctest.h>

#include "conformance/trace_player.h"
#include "support/conformance.h"

namespace workctl {
namespace {

void play_all(std::unique_ptr<TraceStore> (*make_store)()) {
  std::size_t traces = 0;
  std::size_t operations = 0;
  for (const std::string& name : conformance_trace_names()) {
    const std::vector<Json> lines = read_conformance_file(name);
    const auto store = make_store();
    if (uses_handles(lines) && !store->has_handles()) continue;
    const TraceReport report = play_trace(name, lines, *store);
    for (const std::string& difference : report.differences) FAIL_CHECK(difference);
    ++traces;
    operations += report.operations;
  }
  MESSAGE(traces, " traces, ", operations, " operations");
}

TEST_CASE("conformance: every trace through the library, in memory") {
  play_all(make_memory_trace_store);
}

TEST_CASE("conformance: every trace of one writer through the local engine") {
  play_all(make_local_trace_store);
}

TEST_CASE("conformance: a difference is noticed, named and ends the trace") {
  std::vector<Json> lines = read_conformance_file("trace-lifecycle-1.jsonl");
  const auto altered = [&](auto alter) {
    std::vector<Json> copy = lines;
    alter(copy.at(1).at("expect"));
    const auto store = make_memory_trace_store();
    return play_trace("altered", copy, *store);
  };
  REQUIRE(lines.at(1).at("op") == "claim");
  const auto holds = [](const TraceReport& report, const char* text) {
    REQUIRE(report.operations == 2);
    REQUIRE(report.differences.size() == 1);
    INFO(report.differences.front());
    CHECK(report.differences.front().starts_with("altered:2 claim: "));
    CHECK(report.differences.front().find(text) != std::string::npos);
  };
  holds(altered([](Json& expect) { expect.at("ok")["fencing_token"] = 1.0; }),
        R"({"op":"replace","path":"/fencing_token","value":1})");
  holds(altered([](Json& expect) {
          expect.erase("ok");
          expect["error"] = {{"code", "WORKLOAD_NOT_READY"}};
        }),
        "should be refused with WORKLOAD_NOT_READY");
  holds(altered([](Json& expect) { expect.at("changed").front()["state"] = "READY"; }),
        R"({"op":"replace","path":"/state","value":"CLAIMED"})");
  holds(altered([](Json& expect) { expect["changed"] = Json::object(); }),
        "should not have changed");
  holds(altered([](Json& expect) { expect["store_sha256"] = "0"; }), "digest differs");
}

}  // namespace
}  // namespace workctl
