#pragma once

/// Many processes at once, on a handful of workloads, some of which are killed.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "processes/history.h"
#include "processes/program.h"

namespace workctl {

struct StormPlan {
  int players = 0;  ///< as many processes run at the same time
  int rounds = 0;   ///< calls of each player
  std::uint64_t seed = 0;
};

/// What all players of a storm know. Instants come from one counter, a second a call, so that no
/// two calls have the same and leases run out without anybody waiting.
class Storm {
 public:
  Storm(const Program& program, const StormPlan& plan);

  /// Lets all players play, each in a thread of its own, and gives back the calls of all.
  std::vector<Call> run();

 private:
  friend class Player;

  Instant next_instant() { return next_instant_++; }
  /// Runs `call` and fills in what came of it; kills it after `life` of the usual time of a call.
  void make(Call& call, Words words, std::optional<double> life = {});
  void learn(const std::string& workload);
  std::string any_workload(std::mt19937_64& random);

  const Program& program_;
  StormPlan plan_;
  std::atomic<Instant> next_instant_;
  std::atomic<std::int64_t> usual_microseconds_ = 0;
  std::mutex mutex_;
  std::vector<std::string> workloads_;
  std::vector<Call> calls_;
};

}  // namespace workctl
