#include "crash/store_machine.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "store/view_session.h"
#include "workctl/workload/migration.h"
#include "workload/bench.h"

namespace workctl {

namespace {

constexpr std::chrono::milliseconds kNoWait{0};

/// Work of a given key in the legacy file's form.
Json legacy_workload(const std::string& id) {
  Json document = sample_workload().document();
  document["workload_id"] = id;
  document["idempotency_key"] = id;
  return document;
}

Json legacy_file() {
  return {{"workloads", {{"m1", legacy_workload("m1")}, {"m2", legacy_workload("m2")}}},
          {"idempotency", {{"t:app:m1", "m1"}, {"t:app:m2", "m2"}}},
          {"result_ids", Json::object()},
          {"event_sequence", 1}};
}

/// A session that tells the promise of every commit, for operations that commit by themselves.
class ToldSession final : public ViewSession {
 public:
  ToldSession(Session& session, StorePromise& promise)
      : ViewSession(session), session_(session), promise_(promise) {}

  Result<void> stage(Transaction transaction) override {
    return session_.stage(std::move(transaction));
  }
  std::size_t staged() const override { return session_.staged(); }
  std::uint64_t staged_bytes() const override { return session_.staged_bytes(); }
  Result<void> commit() override { return StoreMachine::commit(session_, promise_); }

 private:
  Session& session_;
  StorePromise& promise_;
};

/// Runs an operation of the authority on the one workload that there is.
template <class Operation>
Step work_step(const char* name, Operation operation) {
  return {name, [operation](StoreMachine& machine, StorePromise& promise) {
            return machine.run(promise, [&](Session& session) -> Result<void> {
              Authority authority(session);
              WORKCTL_TRY(const auto ids, session.keys(kWorkloads));
              const std::string id = ids.empty() ? "" : ids.front();
              WORKCTL_CHECK(operation(authority, id));
              return {};
            });
          }};
}

Result<Fence> fence_of(Authority& authority, const std::string& id, Instant now) {
  WORKCTL_TRY(const StoredDocument stored, authority.get(id));
  const Json& claim = stored.document.at("current_claim");
  return Fence{.claim_id = claim.at("claim_id"),
               .worker_id = claim.at("worker_id"),
               .token = claim.at("fencing_token"),
               .now = now};
}

Result<void> migrate_all(StoreMachine& machine, StorePromise& promise) {
  WORKCTL_TRY(const auto engine, machine.open());
  WORKCTL_TRY(const auto session, engine->begin(kNoWait));
  ToldSession told(*session, promise);
  // A line for each workload.
  WORKCTL_CHECK(migrate(told, canonical_text(legacy_file()), 900, 1, {}));
  return told.commit();
}

/// A compaction changes no document, so that it promises nothing new.
Step compaction_step(const char* name, bool keep_old) {
  return {name, [keep_old](StoreMachine& machine, StorePromise&) -> Result<void> {
            WORKCTL_TRY(const auto engine, machine.open());
            WORKCTL_CHECK(engine->compact({.actor = "a", .at = 60, .keep_old = keep_old}, kNoWait));
            return {};
          }};
}

/// Stages transactions of notes, all in one line.
Step note_step(const char* name, std::vector<std::vector<DocumentWrite>> transactions) {
  return {name, [transactions](StoreMachine& machine, StorePromise& promise) {
            return machine.run(promise, [&](Session& session) -> Result<void> {
              for (const auto& writes : transactions)
                WORKCTL_CHECK(session.stage({.at = 50, .writes = writes}));
              return {};
            });
          }};
}

std::vector<Step> note_steps() {
  const Json large = {{"text", std::string(6000, 'x')}, {"n", 1}};
  Json changed = large;
  changed["n"] = 2;
  using Writes = std::vector<DocumentWrite>;
  const Writes three = {note("a", 2, large), note("b", 0, Json{{"n", 1}}), note("c", 0, large)};
  const Writes first = {note("d", 0, Json(1))};
  const Writes second = {note("d", 1, Json(2)), note("b", 1, std::nullopt)};
  std::vector<Step> steps;
  steps.push_back(note_step("one document", {Writes{note("a", 0, large)}}));
  steps.push_back(note_step("a patch", {Writes{note("a", 1, changed)}}));
  steps.push_back(note_step("three documents that hold together", {three}));
  steps.push_back(note_step("two transactions in one line, the second with a removal",
                            std::vector<Writes>{first, second}));
  return steps;
}

}  // namespace

StoreState state_of(View& view) {
  StoreState state;
  for (const std::string_view collection :
       {kWorkloads, kSettings, kTrustedKeys, kGrants, std::string_view("notes")}) {
    const std::vector<std::string> keys = view.keys(collection).value();
    for (const std::string& key : keys) {
      const auto stored = view.get(collection, key).value().value();
      state[{std::string(collection), key}] = {stored.version, canonical_text(stored.document)};
    }
  }
  return state;
}

bool StorePromise::kept_by(const StoreState& found) const {
  return found == acknowledged ||
         std::find(under_way.begin(), under_way.end(), found) != under_way.end();
}

StoreMachine::StoreMachine() { REQUIRE(make_store(machine_).value()); }

Result<bool> StoreMachine::make_store(SimulatedFileSystem& machine) {
  NewStore store;
  store.created_at = 1;
  store.private_texts["secret"] = "private";
  store.first.at = 1;
  store.first.writes.push_back(
      {.collection = std::string(kSettings), .key = "trust", .document = Json{{"mode", "off"}}});
  return create_local_store("/store", store, {.file_system = &machine}, kNoWait);
}

Result<std::unique_ptr<LocalStore>> StoreMachine::open() {
  return open_local_engine("/store", {.file_system = &machine_});
}

Result<StoreState> StoreMachine::settle() {
  WORKCTL_TRY(const auto engine, open());
  WORKCTL_TRY(const auto session, engine->begin(kNoWait));
  return state_of(*session);
}

Result<void> StoreMachine::run(StorePromise& promise, const Work& work) {
  WORKCTL_TRY(const auto engine, open());
  WORKCTL_TRY(const auto session, engine->begin(kNoWait));
  WORKCTL_CHECK(work(*session));
  return commit(*session, promise);
}

Result<void> StoreMachine::commit(Session& session, StorePromise& promise) {
  promise.under_way = {state_of(session)};
  WORKCTL_CHECK(session.commit());
  promise.acknowledged = std::move(promise.under_way.front());
  promise.under_way.clear();
  return {};
}

DocumentWrite note(const std::string& key, std::uint64_t base_version,
                   std::optional<Json> document) {
  return {.collection = "notes",
          .key = key,
          .base_version = base_version,
          .document = std::move(document),
          .audit = Json{{"kind", "note"}}};
}

std::vector<Step> store_story() {
  std::vector<Step> story = note_steps();
  story.push_back(compaction_step("compact", true));
  story.push_back(work_step("create", [](Authority& authority, const std::string&) {
    Json request = sample_request();
    request["retry_policy"] = policy(2);
    return authority.create(CreateRequest::from_json(request).value(), 100);
  }));
  story.push_back(work_step("claim", [](Authority& authority, const std::string& id) {
    return authority.claim(id, "w", {"mail"}, 200, 10'000);
  }));
  story.push_back(work_step("recover", [](Authority& authority, const std::string&) {
    return authority.recover_expired(300);
  }));
  story.push_back(work_step("claim again", [](Authority& authority, const std::string& id) {
    return authority.claim(id, "w", {"mail"}, 400, 10'000);
  }));
  story.push_back(compaction_step("compact again", false));
  story.push_back(
      work_step("start", [](Authority& authority, const std::string& id) -> Result<Json> {
        WORKCTL_TRY(const Fence fence, fence_of(authority, id, 401));
        return authority.start(id, fence);
      }));
  story.push_back(
      work_step("complete", [](Authority& authority, const std::string& id) -> Result<Json> {
        WORKCTL_TRY(const Fence fence, fence_of(authority, id, 402));
        return authority.complete(id, fence, Completion{"r", Json(1), {}});
      }));
  story.push_back({"migrate", migrate_all});
  return story;
}

}  // namespace workctl
