// Storms of real processes, some of them killed: what every caller was told is held against the
// log.
//
// WORKCTL_SEED plays what each player tries once more (the machine decides how they meet), and
// WORKCTL_STORM_ROUNDS sets how often each of them acts in the small storm; in the large one a
// third as often.

#include "processes/storm.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>

#include "processes/history_checker.h"
#include "support/settings.h"
#include "support/temporary_directory.h"

namespace workctl {
namespace {

/// What `workctl list` says at the end is what the log says.
void check_list(const Program& program, const History& history) {
  std::map<std::string, std::pair<std::uint64_t, Json>> expected;
  for (const Transaction& transaction : history.log)
    for (const Change& change : transaction.changes)
      if (change.collection == "workloads")
        expected[change.key] = {change.version, change.after.at("state")};
  const Ended listed = program.run({"list", "-o", "json"});
  REQUIRE(listed.status == 0);
  std::map<std::string, std::pair<std::uint64_t, Json>> found;
  const Json answer = Json::parse(listed.output);
  for (const Json& item : answer.at("ok").at("items"))
    found[item.at("workload_id")] = {item.at("__version"), item.at("state")};
  CHECK(found == expected);
}

int rounds_of_small_storm() { return static_cast<int>(setting("WORKCTL_STORM_ROUNDS", 25)); }

void play(int players, int rounds) {
  const StormPlan plan{.players = players,
                       .rounds = rounds,
                       .seed = setting("WORKCTL_SEED", std::random_device()())};
  const std::string replay = "WORKCTL_SEED=" + std::to_string(plan.seed);
  CAPTURE(replay);
  const TemporaryDirectory directory;
  const Program program(directory / "store");
  History history{.calls = Storm(program, plan).run(), .log = {}};

  // No process is left, so nobody holds the lock; at this instant no lease has run out.
  CHECK(program.run({"recover", "--now", "1", "--lock-timeout", "0"}).status == 0);
  const Ended verified = program.run({"verify", "--replay"});
  CHECK_MESSAGE(verified.status == 0, verified.output);
  std::vector<std::string> wrong;
  history.log = read_log(program.log_path(), wrong);
  CHECK(wrong.empty());
  CHECK(to_text(check_history(history)) == "");
  check_list(program, history);

  const auto count = [&](auto&& is) { return std::ranges::count_if(history.calls, is); };
  const auto killed = count([](const Call& call) { return call.killed; });
  const auto acknowledged = count([](const Call& call) { return call.acknowledged(); });
  CHECK(killed > 0);
  CHECK(acknowledged > 0);
  CHECK(history.log.size() > static_cast<std::size_t>(rounds));
  MESSAGE("storm of " << players << ": " << history.calls.size() << " processes, " << killed
                      << " killed, " << acknowledged << " acknowledged, " << history.log.size()
                      << " commits, 1 history checked, " << replay);
}

TEST_CASE("storm: 8 processes at once") { play(8, rounds_of_small_storm()); }

TEST_CASE("storm: 32 processes at once") { play(32, rounds_of_small_storm() / 3); }

}  // namespace
}  // namespace workctl
