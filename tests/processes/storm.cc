#include "processes/storm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <chrono>
#include <thread>
#include <utility>

namespace workctl {

namespace {

using std::chrono::steady_clock;

constexpr Instant kBegin = 1'800'000'000;

std::uint64_t stamp() {
  return static_cast<std::uint64_t>(steady_clock::now().time_since_epoch().count());
}

/// What an answer holds, or null when it is not whole.
Json answer_of(const std::string& output) {
  if (!output.ends_with('\n')) return nullptr;
  const Json envelope = Json::parse(output, nullptr, false);
  return envelope.is_object() ? envelope.value("ok", Json()) : Json();
}

}  // namespace

/// One caller: does this and that, holds at most one claim, and goes on using it after it was lost,
/// as a worker would that was asleep.
class Player {
 public:
  Player(Storm& storm, int number)
      : storm_(storm),
        name_(fmt::format("w{}", number)),
        random_(storm.plan_.seed * 1000 + static_cast<std::uint64_t>(number)) {}

  void play() {
    for (int round = 0; round < storm_.plan_.rounds; ++round) play_once();
  }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  bool chance(unsigned percent) { return below(100) < percent; }

  void play_once() {
    Call call{.worker = name_};
    Words words = claim_ && chance(75) ? of_holder(call) : of_anybody(call);
    std::optional<double> life;
    if (chance(25)) life = static_cast<double>(below(150)) / 100;
    storm_.make(call, std::move(words), life);
    take_in(call);
  }

  Words of_holder(Call& call) {
    constexpr std::array kVerbs{"start", "heartbeat", "checkpoint", "complete", "fail"};
    call.verb = !started_ && chance(60) ? "start" : kVerbs[below(kVerbs.size())];
    call.workload = member("workload_id");
    call.claim = member("claim_id");
    call.token = claim_->at("fencing_token");
    Words words{call.verb,  call.workload, "--claim", call.claim,
                "--worker", name_,         "--token", std::to_string(call.token)};
    if (call.verb == "heartbeat") add(words, {"--lease", lease()});
    if (call.verb == "checkpoint") add(words, {"--state", std::to_string(below(1000))});
    if (call.verb == "complete") {
      call.result = "result-" + call.claim;
      add(words, {"--result-id", call.result, "--output", "1"});
    }
    return words;
  }

  Words of_anybody(Call& call) {
    const std::string known = storm_.any_workload(random_);
    const std::uint64_t choice = known.empty() ? 0 : below(100);
    if (choice < 25) {
      call.verb = "create";
      const Instant passed = storm_.next_instant_ - kBegin;
      call.key = std::to_string(below(4 + static_cast<std::uint64_t>(passed) / 8));
      return {call.verb,
              "--definition",
              "storm",
              "--key",
              call.key,
              "--max-attempts",
              "5",
              "--initial-delay",
              "1s",
              "--input",
              chance(10) ? "1" : "0"};
    }
    if (choice < 70) {
      call.verb = "claim";
      Words words{call.verb, "--worker", name_, "--lease", lease()};
      if (chance(70)) return add(words, {"--next"});
      call.workload = known;
      return add(words, {known});
    }
    if (choice < 82) {
      call.verb = "recover";
      return {call.verb};
    }
    call.verb = choice < 94 ? "retry" : "cancel";
    call.workload = known;
    return {call.verb, known, "--actor", name_};
  }

  /// Long for a few calls and short for many, so that some run out.
  std::string lease() {
    return fmt::format("{}s", 1 + below(4 * static_cast<std::uint64_t>(storm_.plan_.players)));
  }

  static Words& add(Words& words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  std::string member(const char* name) const { return claim_->at(name); }

  /// Goes on from an answer as a worker does; one that was killed tries again or does something
  /// else.
  void take_in(const Call& call) {
    if (!call.acknowledged()) {
      if (call.refused() && call.status == 6 && chance(80)) claim_.reset();
      return;
    }
    if (call.verb == "create") storm_.learn(call.answer.at("workload_id"));
    if (call.verb == "claim") {
      claim_ = call.answer;
      started_ = false;
    }
    if (call.verb == "start") started_ = true;
    if ((call.verb == "complete" || call.verb == "fail") && chance(70)) claim_.reset();
  }

  Storm& storm_;
  std::string name_;
  std::mt19937_64 random_;
  std::optional<Json> claim_;
  bool started_ = false;
};

Storm::Storm(const Program& program, const StormPlan& plan)
    : program_(program), plan_(plan), next_instant_(kBegin) {
  Call call{.verb = "init"};
  make(call, {"init"});
}

std::vector<Call> Storm::run() {
  {
    std::vector<std::jthread> threads;
    for (int number = 0; number < plan_.players; ++number)
      threads.emplace_back([this, number] { Player(*this, number).play(); });
  }
  return std::move(calls_);
}

void Storm::make(Call& call, Words words, std::optional<double> life) {
  call.now = next_instant();
  call.words = fmt::format("{}", fmt::join(words, " "));
  for (const char* word : {"-o", "json", "--lock-timeout", "5m", "--now"}) words.emplace_back(word);
  words.push_back(std::to_string(call.now));
  std::optional<std::chrono::microseconds> microseconds;
  if (life)
    microseconds = std::chrono::microseconds(
        static_cast<std::int64_t>(*life * static_cast<double>(usual_microseconds_)));

  call.began = stamp();
  const Ended ended = program_.run(words, microseconds);
  call.ended = stamp();
  call.status = ended.status;
  call.killed = ended.killed;
  call.answer = answer_of(ended.output);
  if (!ended.killed)
    usual_microseconds_ =
        (7 * usual_microseconds_ + static_cast<std::int64_t>(call.ended - call.began) / 1000) / 8;
  const std::scoped_lock lock(mutex_);
  calls_.push_back(call);
}

void Storm::learn(const std::string& workload) {
  const std::scoped_lock lock(mutex_);
  if (std::ranges::find(workloads_, workload) == workloads_.end()) workloads_.push_back(workload);
}

std::string Storm::any_workload(std::mt19937_64& random) {
  const std::scoped_lock lock(mutex_);
  return workloads_.empty() ? "" : workloads_[random() % workloads_.size()];
}

}  // namespace workctl
