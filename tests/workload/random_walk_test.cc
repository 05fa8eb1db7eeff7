#include <doctest/doctest.h>

#include <random>

#include "support/settings.h"
#include "workload/bench.h"
#include "workload/walk_model.h"

namespace workctl {
namespace {

constexpr int kStepsEach = 120;
constexpr std::size_t kWorkloads = 3;
const std::string kStranger = "worker-3";

/// One member that nobody knows in every kind of object that a workload holds.
void mark(Json& document) {
  const Json note = {{"by", "a newer release"}, {"weight", 1.0}};
  document["future"] = note;
  for (const char* name : {"requested_by", "authorization_snapshot", "retry_policy", "timeouts"})
    document[name]["future"] = note;
  document["authorization_snapshot"]["grant"]["future"] = note;
  for (const char* name : {"execution_history", "attempts", "checkpoints", "dependencies"})
    for (Json& element : document[name]) element["future"] = note;
  for (const char* name : {"result", "current_claim"})
    if (document[name].is_object()) document[name]["future"] = note;
}

bool same_claim(const Json& before, const Json& after) {
  return before.is_object() && after.is_object() && before.at("claim_id") == after.at("claim_id");
}

/// Whether every mark of `before` is still where it was. Claims come and go.
bool keeps_marks(const Json& before, const Json& after) {
  for (const auto& [name, value] : before.items()) {
    if (name == "future" && !(after.contains(name) && same_value(after.at(name), value)))
      return false;
    if (!after.contains(name)) continue;
    if (name == "current_claim" && !same_claim(value, after.at(name))) continue;
    if (value.is_object() && after.at(name).is_object() && !keeps_marks(value, after.at(name)))
      return false;
    if (!value.is_array()) continue;
    for (std::size_t i = 0; i < value.size(); ++i)
      if (value[i].is_object() && !keeps_marks(value[i], after.at(name).at(i))) return false;
  }
  return true;
}

class Walk {
 public:
  explicit Walk(std::uint64_t seed) : random_(seed) {
    for (std::size_t i = 0; i < kWorkloads; ++i) {
      models_.emplace_back(random_policy());
      const WalkModel::Policy& rules = models_.back().policy;
      ids_.push_back(bench_.create({{"priority", i},
                                    {"retry_policy",
                                     {{"max_attempts", rules.max_attempts},
                                      {"initial_delay_ms", rules.initial_delay_s * 1000},
                                      {"max_delay_ms", rules.max_delay_s * 1000 + below(1000)},
                                      {"backoff", rules.exponential ? "exponential" : "fixed"},
                                      {"retry_on", rules.retry_on}}}}));
    }
  }

  void step() {
    now_ += static_cast<Instant>(below(4) == 0 ? below(40) : below(3));
    chosen_ = below(kWorkloads);
    for (std::size_t i = 0; i < kWorkloads; ++i) {
      Json marked = bench_.document(ids_[i]);
      mark(marked);
      bench_.session.plant(workctl::kWorkloads, ids_[i], std::move(marked));
    }
    const std::vector<Json> before = documents();
    (this->*operations_[below(std::size(operations_))])();
    for (std::size_t i = 0; i < kWorkloads; ++i) check(i, before[i]);
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  bool often() { return below(4) != 0; }

  WalkModel::Policy random_policy() {
    WalkModel::Policy rules;
    rules.max_attempts = below(5);
    rules.initial_delay_s = below(4);
    rules.max_delay_s = below(12);
    rules.exponential = below(2) == 0;
    for (const char* kind : {"again", "timeout", "worker_failure"})
      if (often()) rules.retry_on.emplace_back(kind);
    return rules;
  }

  const std::string& id() const { return ids_[chosen_]; }
  WalkModel& model() { return models_[chosen_]; }
  std::string worker() { return "worker-" + std::to_string(below(3)); }

  /// A fence for the code and the same for the model: mostly the current one, sometimes an older
  /// one, one that never was, or one of another worker.
  std::pair<Fence, ModelFence> fence() {
    const auto& held = model().held;
    const Json& claim = bench_.document(id()).at("current_claim");
    Fence fence{"claim_none", kStranger, below(3), now_};
    if (held) fence = {claim.at("claim_id"), held->worker, held->token, now_};
    if (!often()) fence.token = model().token == 0 ? 9 : fence.token - 1;
    if (!often()) fence.worker_id = often() ? kStranger : fence.worker_id;
    return {fence, {fence.worker_id, fence.token, now_}};
  }

  void agree(const Result<Json>& answer, const std::string& expected) {
    const std::string message = answer ? "" : answer.error().message;
    CAPTURE(message);
    CHECK(code_of(answer) == expected);
  }

  void claim() {
    const std::string by = worker();
    const bool capable = often();
    const auto lease_s = static_cast<Instant>(below(30));
    const auto expected = model().claim(by, capable, now_, lease_s);
    const std::set<std::string> capabilities{capable ? "mail" : "none"};
    const auto lease_ms = static_cast<std::uint64_t>(lease_s) * 1000 + below(1000);
    agree(bench_.authority.claim(id(), by, capabilities, now_, lease_ms), expected);
  }

  void claim_next() {
    const std::string by = worker();
    // A higher index has the higher priority.
    std::string expected_id;
    std::string expected = kAgreed;
    for (std::size_t i = kWorkloads; i-- > 0 && expected_id.empty();) {
      if (!models_[i].ready(true, now_)) continue;
      expected_id = ids_[i];
      expected = models_[i].claim(by, true, now_, 20);
    }
    const auto answer = bench_.authority.claim_next({"t", "app", {"mail"}, now_}, by, 20'000);
    agree(answer, expected);
    if (answer && answer->is_object())
      CHECK(answer->at("workload_id") == expected_id);
    else if (answer)
      CHECK(expected_id.empty());
  }

  void start() {
    const auto [fence, plain] = this->fence();
    agree(bench_.authority.start(id(), fence), model().start(plain));
  }

  void heartbeat() {
    const auto [fence, plain] = this->fence();
    const auto extend_s = static_cast<Instant>(below(40));
    agree(bench_.authority.heartbeat(id(), fence, static_cast<std::uint64_t>(extend_s) * 1000),
          model().heartbeat(plain, extend_s));
  }

  void checkpoint() {
    const auto [fence, plain] = this->fence();
    agree(bench_.authority.checkpoint(id(), fence, below(9)), model().checkpoint(plain));
  }

  void complete() {
    const auto [fence, plain] = this->fence();
    const std::size_t number = below(4);
    const std::string result_id = "result-" + std::to_string(number);
    std::string expected;
    for (std::size_t i = 0; i < kWorkloads; ++i)
      if (i != chosen_ && models_[i].result == result_id) expected = "WORKLOAD_RESULT_DUPLICATE";
    if (expected.empty()) expected = model().complete(plain, result_id);
    agree(bench_.authority.complete(id(), fence, {result_id, number, {}, 1}), expected);
  }

  void fail() {
    const auto [fence, plain] = this->fence();
    const std::string kind = often() ? "again" : "fatal";
    agree(bench_.authority.fail(id(), fence, kind, "e"), model().fail(plain, kind));
  }

  void confirm_cancel() {
    const auto [fence, plain] = this->fence();
    agree(bench_.authority.confirm_cancel(id(), fence), model().confirm_cancel(plain));
  }

  void cancel() {
    if (often()) return;
    agree(bench_.authority.cancel(id(), "op", now_), model().cancel());
  }

  void time_out() {
    if (often()) return;
    agree(bench_.authority.time_out(id(), "op", now_), model().time_out(now_));
  }

  void retry() { agree(bench_.authority.retry(id(), "op", now_, {}), model().retry(now_)); }

  void recover() {
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < kWorkloads; ++i)
      if (models_[i].recover(now_)) expected.push_back(ids_[i]);
    std::ranges::sort(expected);
    const auto recovered = bench_.authority.recover_expired(now_);
    REQUIRE(recovered);
    CHECK(*recovered == Json(expected));
  }

  std::vector<Json> documents() const {
    std::vector<Json> all;
    for (const std::string& each : ids_) all.push_back(bench_.document(each));
    return all;
  }

  void check(std::size_t i, const Json& before) {
    const Json& document = bench_.document(ids_[i]);
    const WalkModel& model = models_[i];
    const auto workload = Workload::from_document(document);
    REQUIRE_MESSAGE(workload, workload.error().message);
    CHECK(document.at("state") == model.state);
    CHECK(document.at("fencing_token") == model.token);
    CHECK(document.at("attempt_count") == model.claims);
    CHECK(document.at("retry_count") == model.retries);
    CHECK(document.at("checkpoints").size() == model.checkpoints);
    CHECK(workload->operator_retries() == model.rearms);
    CHECK(workload->next_attempt_at() == model.eligible_at);
    CHECK(workload->result_id() == model.result);
    Json statuses = Json::array();
    for (const Json& attempt : document.at("attempts")) statuses.push_back(attempt.at("status"));
    CHECK(statuses == Json(model.attempts));
    const Json& claim = document.at("current_claim");
    REQUIRE(claim.is_object() == model.held.has_value());
    if (model.held) CHECK(claim.at("expires_at") == model.held->ends_at);
    CHECK(document.at("execution_history").size() == model.events);
    CHECK(history_is_sound(document));
    CHECK(tokens_are_fresh(document));
    CHECK(keeps_marks(before, document));
  }

  /// Events count from 1 by 1, and each begins where the one before it ended.
  static bool history_is_sound(const Json& document) {
    const Json* state = nullptr;
    std::uint64_t sequence = 0;
    for (const Json& event : document.at("execution_history")) {
      if (event.at("sequence") != ++sequence) return false;
      if (state != nullptr && event.at("from") != *state) return false;
      state = &event.at("to");
    }
    return state != nullptr && *state == document.at("state");
  }

  /// No token and no claim id was given out twice.
  static bool tokens_are_fresh(const Json& document) {
    std::uint64_t last = 0;
    std::set<std::string> claims;
    for (const Json& attempt : document.at("attempts")) {
      if (attempt.at("fencing_token") != ++last) return false;
      if (!claims.insert(attempt.at("claim_id")).second) return false;
    }
    return true;
  }

  using Operation = void (Walk::*)();
  static constexpr Operation operations_[] = {
      &Walk::claim, &Walk::claim,     &Walk::claim_next, &Walk::start,          &Walk::start,
      &Walk::start, &Walk::heartbeat, &Walk::checkpoint, &Walk::checkpoint,     &Walk::complete,
      &Walk::fail,  &Walk::fail,      &Walk::cancel,     &Walk::confirm_cancel, &Walk::time_out,
      &Walk::retry, &Walk::recover};

  std::mt19937_64 random_;
  Bench bench_;
  std::vector<std::string> ids_;
  std::vector<WalkModel> models_;
  std::size_t chosen_ = 0;
  Instant now_ = 1000;
};

constexpr std::uint64_t kWalks = 60;

TEST_CASE("random walk: the operations do what a plain model of the contract says") {
  const std::uint64_t first = setting("WORKCTL_SEED", 0);
  for (std::uint64_t seed = first; seed < first + kWalks; ++seed) {
    Walk walk(seed);
    for (int step = 0; step < kStepsEach; ++step) {
      CAPTURE(seed);  // to walk it first: WORKCTL_SEED
      CAPTURE(step);
      walk.step();
    }
  }
}

}  // namespace
}  // namespace workctl
