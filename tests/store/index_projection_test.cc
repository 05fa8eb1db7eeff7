// The index against the projection in memory, which is the model: the same answers to every
// question, whatever was put into both.

#include "store/index/index_projection.h"

#include <doctest/doctest.h>

#include <fstream>
#include <random>

#include "support/settings.h"
#include "support/temporary_directory.h"
#include "workctl/store/memory_projection.h"

namespace workctl {
namespace {

using Ids = std::vector<std::string>;

/// A tree of its own, with one transaction that is never committed.
class Tree {
 public:
  Tree() {
    std::ofstream(directory_ / "tree");
    environment_ = lmdb::Environment::open(directory_ / "tree", 1ULL << 30).value();
    begin(lmdb::Access::kWrite);
    REQUIRE(projection.attach(transaction_.get()));
  }
  /// Goes on in a transaction of this kind, on what was committed.
  void begin(lmdb::Access access) {
    transaction_.reset();
    transaction_ = lmdb::Transaction::begin(*environment_, access).value();
  }
  void commit_and_begin(lmdb::Access access) {
    REQUIRE(projection.save({}));
    REQUIRE(transaction_->commit());
    begin(access);
    REQUIRE(projection.attach(transaction_.get()));
  }
  const lmdb::Transaction& transaction() const { return *transaction_; }

 private:
  TemporaryDirectory directory_;
  std::unique_ptr<lmdb::Environment> environment_;
  std::unique_ptr<lmdb::Transaction> transaction_;

 public:
  int made_writable = 0;
  index_tree::IndexProjection projection{[this]() -> Result<void> {
    ++made_writable;
    begin(lmdb::Access::kWrite);
    projection.move_to(*transaction_);
    return {};
  }};
};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t end) { return engine_() % end; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class T>
  T of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::mt19937_64 engine_;
};

constexpr Instant kLast = 1000;

std::string id_of(std::uint64_t number) { return "w" + std::to_string(number); }

/// Any workload: few tenants, states and instants, so that they meet often.
Json random_work(Dice& dice, std::uint64_t number) {
  const auto instant = [&] { return static_cast<Instant>(dice.below(kLast)); };
  Json document = {
      {"tenant_id", dice.of<std::string>({"t", "u"})},
      {"application_id", dice.of<std::string>({"a", std::string("b\0c", 3)})},
      {"definition_id", dice.of<std::string>({"d", "e"})},
      {"state", dice.of<std::string>({"READY", "READY", "READY", "CLAIMED", "RUNNING", "SUCCEEDED",
                                      "DEAD_LETTER", "CANCELLATION_REQUESTED"})},
      {"priority", static_cast<int>(dice.below(3)) - 1},
      {"created_at", instant() % 3 - 1},
      {"updated_at", instant()},
      {"requested_by", {{"kind", "human"}, {"id", "me"}}},
      {"idempotency_key", std::to_string(number)},
      {"capability_snapshot", Json::array()},
      {"dependencies", Json::array()},
      {"next_attempt_at", nullptr},
      {"current_claim", nullptr},
      {"result", nullptr}};
  for (const char* capability : {"gpu", "net"})
    if (dice.one_in(4)) document["capability_snapshot"].push_back(capability);
  while (dice.one_in(3))
    document["dependencies"].push_back(
        {{"workload_id", id_of(dice.below(12))},
         {"required_state", dice.of<std::string>({"SUCCEEDED", "SUCCEEDED", "DEAD_LETTER"})}});
  if (dice.one_in(3)) document["next_attempt_at"] = instant();
  if (dice.one_in(2))
    document["current_claim"] = {
        {"expires_at", instant()}, {"claimed_at", instant()}, {"last_heartbeat", instant()}};
  if (dice.one_in(3)) document["result"] = {{"result_id", "r" + std::to_string(number)}};
  if (dice.one_in(3))
    document["timeouts"] = {{"queue_ms", dice.below(900'000)},
                            {"heartbeat_ms", nullptr},
                            {"claim_ms", dice.below(900'000)},
                            {"overall_ms", 1500}};
  if (dice.one_in(2))
    document["execution_history"] = {{{"from", "RUNNING"}, {"to", "SUCCEEDED"}, {"at", instant()}},
                                     {{"from", "FAILED"}, {"to", "FAILED"}, {"at", instant()}}};
  return document;
}

/// Everything that can be asked, as text.
std::string all_answers(Projection& projection, Dice dice) {
  Json answers = Json::array();
  const auto now = static_cast<Instant>(dice.below(kLast));
  for (const char* tenant : {"t", "u"}) {
    for (const std::set<std::string>& capabilities :
         {std::set<std::string>{}, {"gpu"}, {"gpu", "net"}}) {
      const ReadyQuery query{tenant, "a", capabilities, now};
      answers.push_back(projection.ready(query, 1 + dice.below(4)).value());
      answers.push_back(projection.ready(query, 1000).value());
    }
  }
  answers.push_back(projection.expired_leases(now).value());
  answers.push_back(projection.due_timeouts(now).value());
  answers.push_back(projection.keys(kWorkloads).value());
  ListFilter filter;
  if (dice.one_in(2)) filter.tenant = "t";
  if (dice.one_in(3)) filter.definition = "e";
  if (dice.one_in(2)) filter.states.insert("READY");
  if (dice.one_in(2)) filter.states.insert("SUCCEEDED");
  const std::size_t limit = 1 + dice.below(5);
  for (const bool ended : {false, true}) {
    std::string cursor;
    do {
      const ListPage page = ended ? projection.ended(filter, now, cursor, limit).value()
                                  : projection.list(filter, cursor, limit).value();
      answers.push_back(page.keys);
      cursor = page.next;
      answers.push_back(cursor);
    } while (!cursor.empty());
  }
  for (std::uint64_t number = 0; number < 20; ++number) {
    answers.push_back(projection.dependents(id_of(number)).value());
    const auto result = projection.find_by_result("r" + std::to_string(number)).value();
    answers.push_back(result.value_or(""));
    const auto scope =
        projection.find_by_scope(scope_text("t", "a", "human", "me", std::to_string(number)));
    answers.push_back(scope.value().value_or(""));
    answers.push_back(projection.version(kWorkloads, id_of(number)).value());
    const auto document = projection.get(kWorkloads, id_of(number)).value();
    answers.push_back(document ? document->document : Json());
  }
  const auto counts = projection.counts().value();
  for (const StateCount& count : counts)
    answers.push_back({count.tenant, count.application, count.state, count.count});
  answers.push_back(projection.oldest_ready().value().value_or(-1));
  answers.push_back(projection.size()->documents);
  answers.push_back(projection.size()->bytes);
  return answers.dump(1);
}

TEST_CASE("store: the index answers as the projection in memory does") {
  const std::uint64_t first = setting("WORKCTL_SEED", 1);
  for (std::uint64_t seed = first; seed < first + 12; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    Tree tree;
    MemoryProjection model;
    for (int step = 0; step < 120; ++step) {
      const std::uint64_t number = dice.below(20);
      const std::string id = id_of(number);
      const std::uint64_t version = model.version(kWorkloads, id).value() + 1;
      std::optional<Json> document;
      if (!dice.one_in(6)) document = random_work(dice, number);
      REQUIRE(model.put(kWorkloads, id, version, document));
      REQUIRE(tree.projection.put(kWorkloads, id, version, std::move(document)));
      if (dice.one_in(10))
        tree.commit_and_begin(dice.one_in(2) ? lmdb::Access::kRead : lmdb::Access::kWrite);
      // The clock goes back as often as it goes on.
      const Dice question(dice.below(UINT64_MAX));
      REQUIRE(all_answers(tree.projection, question) == all_answers(model, question));
    }
  }
}

TEST_CASE("store: what is in the index does not depend on how it came about") {
  Dice dice(setting("WORKCTL_SEED", 7));
  Tree grown;
  MemoryProjection model;
  for (int step = 0; step < 300; ++step) {
    const std::uint64_t number = dice.below(20);
    const std::uint64_t version = model.version(kWorkloads, id_of(number)).value() + 1;
    std::optional<Json> document;
    if (!dice.one_in(6)) document = random_work(dice, number);
    REQUIRE(model.put(kWorkloads, id_of(number), version, document));
    REQUIRE(grown.projection.put(kWorkloads, id_of(number), version, std::move(document)));
    if (dice.one_in(3)) all_answers(grown.projection, dice);
  }
  Tree fresh;
  for (std::uint64_t number = 0; number < 20; ++number) {
    const std::uint64_t version = model.version(kWorkloads, id_of(number)).value();
    const Json* document = model.find(kWorkloads, id_of(number)).value();
    REQUIRE(fresh.projection.put(kWorkloads, id_of(number), version,
                                 document != nullptr ? std::optional(*document) : std::nullopt));
  }
  const auto content = [](Tree& tree) {
    REQUIRE(tree.projection.demote_all());
    REQUIRE(tree.projection.save({}));
    std::map<std::string, std::string> entries;
    REQUIRE(tree.transaction().walk("", [&](std::string_view key, std::string_view value) {
      entries.emplace(key, value);
      return true;
    }));
    return entries;
  };
  CHECK(content(grown) == content(fresh));
}

TEST_CASE("store: a hundred early and a hundred blocked workloads are not looked at by a claim") {
  Tree tree;
  Dice dice(1);
  const auto put = [&](const std::string& id, const Json& changes) {
    Json document = {{"tenant_id", "t"},
                     {"application_id", "a"},
                     {"state", "READY"},
                     {"priority", 0},
                     {"created_at", 5}};
    document.update(changes);
    REQUIRE(tree.projection.put(kWorkloads, id, 1, std::move(document)));
  };
  for (int i = 0; i < 100; ++i) {
    put("early" + std::to_string(i), {{"priority", 9}, {"next_attempt_at", 500}});
    put("blocked" + std::to_string(i),
        {{"priority", 9},
         {"dependencies", {{{"workload_id", "x"}, {"required_state", "SUCCEEDED"}}}}});
    put("other" + std::to_string(i), {{"priority", 9}, {"capability_snapshot", {"gpu"}}});
  }
  put("mine", Json::object());
  tree.commit_and_begin(lmdb::Access::kRead);
  CHECK(tree.projection.ready({"t", "a", {}, 499}, 1).value() == Ids{"mine"});
  // Nothing was moved, so a transaction that only reads was enough.
  CHECK(tree.made_writable == 0);
  CHECK(tree.projection.ready({"t", "a", {}, 500}, 1).value() == Ids{"early0"});
  CHECK(tree.made_writable == 1);
}

TEST_CASE("store: a key that the index cannot hold is refused by it") {
  Tree tree;
  CHECK(tree.projection.put("notes", std::string(385, 'k'), 1, Json()).error().code ==
        errc::kIndexUnusable);
  CHECK(tree.projection.put("notes", std::string(384, 'k'), 1, Json()));
}

}  // namespace
}  // namespace workctl
