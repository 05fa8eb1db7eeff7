// The real program is killed before each of its system calls. Its change is then wholly there or
// wholly not; and the same command again, which waits for nobody, leaves the store exactly as
// undisturbed runs leave it: one run where the change was not there, two where it was.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "processes/call_killer.h"
#include "processes/stage.h"

namespace workctl {
namespace {

namespace fs = std::filesystem;

/// What a run leaves.
struct Outcome {
  int status = 0;
  std::string output{};
  std::string documents{};
  std::string names{};
};

Outcome outcome(const Stage& stage, const Ended& ended) {
  return {ended.status, masked(ended.output), stage.documents(), stage.names()};
}

void check_same(const Outcome& found, const Outcome& expected) {
  CHECK(found.status == expected.status);
  CHECK(found.output == expected.output);
  CHECK(found.documents == expected.documents);
  CHECK(found.names == expected.names);
}

bool is_sound(const Stage& stage) {
  if (!fs::exists(stage.program().log_path())) return true;
  return stage.program().run({"verify", "--replay"}).status == 0;
}

/// The names of the calls that something was killed before, over all stories; as often as it was.
std::multiset<std::string>& calls_hit() {
  static std::multiset<std::string> names;
  return names;
}

/// Kills `workctl WORDS` before each of its calls. `again` is the exit status of an undisturbed
/// second run.
void kill_everywhere(const Stage& stage, Words words, int again, const char* format = "json") {
  if (!tracing_is_permitted(stage.program())) {
    MESSAGE("SKIPPED: processes may not be traced here");
    std::exit(77);
  }
  for (const char* word : {"-o", format, "--lock-timeout", "0"}) words.emplace_back(word);
  const Image image = stage.image();
  const std::string before = stage.documents();
  const Outcome first = outcome(stage, stage.program().run(words));
  const Outcome second = outcome(stage, stage.program().run(words));
  REQUIRE(first.status == 0);
  REQUIRE(second.status == again);
  REQUIRE(first.documents != before);

  int kills = 0;
  int done = 0;
  for (std::size_t number = 0;; ++number) {
    stage.put_back(image);
    const KilledCall killed = run_until_call(stage.program(), words, number);
    if (!killed.ended.killed) break;
    const std::string place =
        fmt::format("{}, killed before call {}, {}", words.front(), number, killed.name);
    CAPTURE(place);
    ++kills;
    calls_hit().insert(killed.name);
    CHECK(is_sound(stage));
    const std::string found = stage.documents();
    const bool is_done = found == first.documents;
    if (!is_done) CHECK(found == before);
    if (is_done) ++done;
    if (!killed.ended.output.empty()) {
      CHECK(is_done);
      CHECK(masked(killed.ended.output) == first.output);
    }
    check_same(outcome(stage, stage.program().run(words)), is_done ? second : first);
    CHECK(is_sound(stage));
  }
  CHECK(kills > 10);
  CHECK(done > 0);
  CHECK(done < kills);
  MESSAGE(words.front() << ": " << kills << " killed, " << done << " of them after the change");
}

constexpr const char* kNow = "1800000000";

/// A store with work that nobody holds, its id.
std::string ready(const Stage& stage) {
  stage.run({"init", "--now", kNow});
  return stage.run({"create", "--definition", "d", "--key", "k", "--now", kNow}).at("workload_id");
}

/// The words that show a claim.
Words held(Words words, const Json& claim) {
  words.insert(words.begin() + 1, claim.at("workload_id"));
  const std::string id = claim.at("claim_id");
  for (const std::string& word : Words{"--claim", id, "--worker", "w", "--token", "1"})
    words.push_back(word);
  return words;
}

/// Claims work for an hour.
Json claimed(const Stage& stage, const std::string& id) {
  return stage.run({"claim", id, "--worker", "w", "--lease", "1h", "--now", kNow});
}

TEST_CASE("killed: init") { kill_everywhere(Stage(), {"init", "--now", kNow, "--actor", "a"}, 0); }

TEST_CASE("killed: init syncs a directory that an init before it made and may not have synced") {
  const Stage stage;
  fs::create_directory(stage.program().store());
  fs::permissions(stage.program().store(), fs::perms::owner_all);
  std::set<std::string> before_the_lock;
  for (std::size_t number = 0;; ++number) {
    const std::string name = run_until_call(stage.program(), {"init"}, number).name;
    REQUIRE(!name.empty());
    if (name == "flock") break;
    before_the_lock.insert(name);
  }
  CHECK(before_the_lock.contains("fsync"));
}

TEST_CASE("killed: create, the first in its store") {
  const Stage stage;
  stage.run({"init", "--now", kNow});
  kill_everywhere(stage, {"create", "--definition", "d", "--key", "k", "--now", kNow}, 0);
}

TEST_CASE("killed: create") {
  const Stage stage;
  ready(stage);
  kill_everywhere(stage, {"create", "--definition", "d", "--key", "other", "--now", kNow}, 0);
}

TEST_CASE("killed: create, where a torn end is to be set aside first") {
  const Stage stage;
  ready(stage);
  std::ofstream(stage.program().log_path(), std::ios::app) << R"({"commits":[{"revision":)";
  kill_everywhere(stage, {"create", "--definition", "d", "--key", "other", "--now", kNow}, 0);
}

TEST_CASE("killed: create, where the mark is lost") {
  const Stage stage;
  ready(stage);
  fs::remove(stage.program().store() + "/work.mark");
  kill_everywhere(stage, {"create", "--definition", "d", "--key", "other", "--now", kNow}, 0);
}

TEST_CASE("killed: claim") {
  const Stage stage;
  const std::string id = ready(stage);
  kill_everywhere(stage, {"claim", id, "--worker", "w", "--now", kNow}, 5);
}

TEST_CASE("killed: claim --next") {
  const Stage stage;
  ready(stage);
  kill_everywhere(stage, {"claim", "--next", "--worker", "w", "--now", kNow}, 8);
}

TEST_CASE("killed: start, heartbeat, complete") {
  const Stage stage;
  const Json claim = claimed(stage, ready(stage));
  kill_everywhere(stage, held({"start", "--now", kNow}, claim), 5);
  stage.program().run(held({"start", "--now", kNow}, claim));
  kill_everywhere(stage, held({"heartbeat", "--lease", "2h", "--now", kNow}, claim), 0);
  kill_everywhere(stage,
                  held({"complete", "--result-id", "r", "--output", "7", "--now", kNow}, claim), 0);
}

TEST_CASE("killed: recover") {
  const Stage stage;
  claimed(stage, ready(stage));
  claimed(
      stage,
      stage.run({"create", "--definition", "d", "--key", "l", "--now", kNow}).at("workload_id"));
  kill_everywhere(stage, {"recover", "--now", "1800003600"}, 0);
}

TEST_CASE("killed: batch --atomic") {
  const Stage stage;
  const std::string id = ready(stage);
  const std::string other =
      stage.run({"create", "--definition", "d", "--key", "l", "--now", kNow}).at("workload_id");
  std::ofstream operations(stage.path("operations"));
  for (const std::string& each : {id, other})
    operations << fmt::format(
        R"({{"op":"claim","args":{{"id":"{}","worker":"w","capabilities":[],"now":{},"lease_ms":60000}}}})"
        "\n",
        each, kNow);
  operations.close();
  kill_everywhere(stage, {"batch", "--atomic", stage.path("operations"), "--now", kNow}, 5,
                  "jsonl");
}

TEST_CASE("killed: migrate") {
  const Stage stage;
  const std::string id = ready(stage);
  Json work = stage.run({"show", id});
  work.erase("__version");
  const std::string key = fmt::format("{}:{}:k", work.at("tenant_id").get<std::string>(),
                                      work.at("application_id").get<std::string>());
  std::ofstream(stage.path("legacy")) << Json{{"workloads", {{id, work}}},
                                              {"idempotency", {{key, id}}},
                                              {"result_ids", Json::object()},
                                              {"event_sequence", 1}};
  stage.put_back({});
  stage.run({"init", "--now", kNow});
  kill_everywhere(stage, {"migrate", stage.path("legacy"), "--now", kNow}, 0);
}

TEST_CASE("killed: every call that can change something was among them") {
  if (calls_hit().empty()) {
    MESSAGE("nothing was killed: this one goes with the others");
    return;
  }
  for (const char* name :
       {"openat", "pread64", "pwrite64", "write", "fdatasync", "fsync", "ftruncate", "renameat",
        "mkdirat", "fchmod", "flock", "close", "exit_group"}) {
    CAPTURE(name);
    CHECK(calls_hit().contains(name));
  }
  MESSAGE(calls_hit().size() << " killed in all");
}

}  // namespace
}  // namespace workctl
