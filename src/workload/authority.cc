#include "workctl/workload/authority.h"

#include <fmt/core.h>

#include "workctl/base/text.h"
#include "workctl/workload/secrets.h"
#include "workload/audit.h"

namespace workctl {
namespace {

constexpr std::string_view kRecoveryActor = "workctl.recovery";

std::unexpected<Error> about(const std::string& workload_id, Error error) {
  if (error.workload_id.empty()) error.workload_id = workload_id;
  return std::unexpected(std::move(error));
}

}  // namespace

Authority::Authority(Session& session)
    : view_(session), stage_([&session](Transaction transaction) {
        return session.stage(std::move(transaction));
      }) {}

Authority::Authority(View& view, Stage stage) : view_(view), stage_(std::move(stage)) {}

Result<Json> Authority::create(CreateRequest request, Instant now) {
  WORKCTL_CHECK(check_request(request));
  const std::string scope = request.scope();
  const RequestIdentity identity = request.identity();
  WORKCTL_TRY(auto holder, view_.find_by_scope(scope));
  if (holder) return answer_existing(*holder, identity);

  Workload workload = admit(std::move(request));
  std::string id = workload.id();
  const std::string requester = identity.requester.at("id").get<std::string>();
  const Cause cause{"workload.create", requester, now};
  if (auto staged = stage(std::move(workload), 0, cause, kWorkloadCreated); !staged) {
    if (staged.error().code != errc::kConflict) return about(id, std::move(staged).error());
    WORKCTL_TRY(holder, view_.find_by_scope(scope));
    if (!holder) return about(id, std::move(staged).error());
    return answer_existing(*holder, identity);
  }
  return Json{{"workload_id", std::move(id)}, {"created", true}};
}

Result<Json> Authority::claim(const std::string& id, const std::string& worker,
                              const std::set<std::string>& capabilities, Instant now,
                              std::uint64_t lease_ms) {
  return decide(id, {"workload.claim", worker, now}, [&](Workload workload) {
    return workctl::claim(std::move(workload), worker, capabilities, now, lease_ms);
  });
}

Result<Json> Authority::claim_next(const ReadyQuery& query, const std::string& worker,
                                   std::uint64_t lease_ms) {
  WORKCTL_TRY(const auto first, view_.ready(query, 1));
  if (first.empty()) return nullptr;
  return claim(first.front(), worker, query.capabilities, query.now, lease_ms);
}

Result<Json> Authority::start(const std::string& id, const Fence& fence) {
  return decide(id, {"workload.start", fence.worker_id, fence.now},
                [&](Workload workload) { return workctl::start(std::move(workload), fence); });
}

Result<Json> Authority::heartbeat(const std::string& id, const Fence& fence,
                                  std::uint64_t extend_ms) {
  return decide(id, {"workload.heartbeat", fence.worker_id, fence.now}, [&](Workload workload) {
    return workctl::heartbeat(std::move(workload), fence, extend_ms);
  });
}

Result<Json> Authority::execution_context(const std::string& id, const Fence& fence,
                                          const std::vector<std::string>& secret_references) {
  return decide(id, {"workload.context", fence.worker_id, fence.now},
                [&](const Workload& workload) {
                  return workctl::execution_context(workload, fence, secret_references);
                });
}

Result<Json> Authority::checkpoint(const std::string& id, const Fence& fence, Json state) {
  if (auto clean = reject_secrets(state, "checkpoint state"); !clean)
    return about(id, std::move(clean).error());
  return decide(id, {"workload.checkpoint", fence.worker_id, fence.now}, [&](Workload workload) {
    return workctl::checkpoint(std::move(workload), fence, std::move(state));
  });
}

Result<Json> Authority::complete(const std::string& id, const Fence& fence, Completion completion) {
  if (auto clean = reject_secrets(completion.output, "output"); !clean)
    return about(id, std::move(clean).error());
  WORKCTL_TRY(const auto holder, view_.find_by_result(completion.result_id));
  if (holder && *holder != id)
    return about(id, {errc::kResultDuplicate,
                      fmt::format("result {} belongs to workload {}",
                                  printable(completion.result_id), printable(*holder))});
  if (holder) {
    WORKCTL_TRY(auto stored, get(id));
    return std::move(stored.document.at("result"));
  }
  return decide(id, {"workload.complete", fence.worker_id, fence.now}, [&](Workload workload) {
    return workctl::complete(std::move(workload), fence, std::move(completion));
  });
}

Result<Json> Authority::fail(const std::string& id, const Fence& fence, const std::string& kind,
                             const std::string& error) {
  if (auto clean = reject_secret_text(error, "error text"); !clean)
    return about(id, std::move(clean).error());
  return decide(id, {"workload.fail", fence.worker_id, fence.now}, [&](Workload workload) {
    return workctl::fail(std::move(workload), fence, kind, error);
  });
}

Result<Json> Authority::confirm_cancel(const std::string& id, const Fence& fence) {
  return decide(
      id, {"workload.confirm_cancel", fence.worker_id, fence.now},
      [&](Workload workload) { return workctl::confirm_cancel(std::move(workload), fence); });
}

Result<Json> Authority::cancel(const std::string& id, const std::string& actor, Instant now) {
  return decide(id, {"workload.cancel", actor, now}, [&](Workload workload) {
    return workctl::cancel(std::move(workload), actor, now);
  });
}

Result<Json> Authority::time_out(const std::string& id, const std::string& actor, Instant now) {
  return decide(id, {"workload.timeout", actor, now}, [&](Workload workload) {
    return workctl::time_out(std::move(workload), actor, now);
  });
}

Result<Json> Authority::retry(const std::string& id, const std::string& actor, Instant now,
                              const std::optional<std::string>& reason) {
  return decide(id, {"workload.retry", actor, now}, [&](Workload workload) {
    return workctl::retry(std::move(workload), actor, now, reason);
  });
}

Result<bool> Authority::recover(const std::string& id, Instant now) {
  const Cause cause{"workload.recover", kRecoveryActor, now};
  auto answer = decide_in(std::nullopt, id, cause, [&](Workload workload) {
    return workctl::recover(std::move(workload), now);
  });
  if (answer) return !answer->is_null();
  if (answer.error().code == errc::kConflict) return false;
  return std::unexpected(std::move(answer).error());
}

Result<Json> Authority::recover_expired(Instant now) {
  WORKCTL_TRY(const auto expired, view_.expired_leases(now));
  Json recovered = Json::array();
  for (const std::string& id : expired) {
    WORKCTL_TRY(const bool taken_back, recover(id, now));
    if (taken_back) recovered.push_back(id);
  }
  return recovered;
}

Result<StoredDocument> Authority::get(const std::string& id) {
  WORKCTL_TRY(auto stored, view_.get(kWorkloads, id));
  if (!stored)
    return about(id, {errc::kWorkloadNotFound, fmt::format("no workload {}", printable(id))});
  return std::move(*stored);
}

Result<std::vector<Json>> Authority::unmet_dependencies(const std::string& id) {
  WORKCTL_TRY(auto stored, get(id));
  WORKCTL_TRY(const auto workload, Workload::from_document(std::move(stored.document)));
  std::vector<Json> unmet;
  for (const Json& dependency : workload.document().at("dependencies")) {
    WORKCTL_TRY(auto other,
                view_.get(kWorkloads, dependency.at("workload_id").get_ref<const std::string&>()));
    Json state;
    if (other) {
      WORKCTL_TRY(const auto found, Workload::from_document(std::move(other->document)));
      state = state_name(found.state());
    }
    if (state == dependency.at("required_state")) continue;
    unmet.push_back({{"workload_id", dependency.at("workload_id")},
                     {"required_state", dependency.at("required_state")},
                     {"state", std::move(state)}});
  }
  return unmet;
}

Result<Json> Authority::decide(const std::string& id, const Cause& cause,
                               const Operation& operation) {
  return decide_in(required_version_, id, cause, operation);
}

Result<Json> Authority::decide_in(std::optional<std::uint64_t> version, const std::string& id,
                                  const Cause& cause, const Operation& operation) {
  WORKCTL_TRY(auto stored, get(id));
  if (version && stored.version != *version)
    return about(id, {errc::kConflict, fmt::format("workload {} is in version {}, not {}",
                                                   printable(id), stored.version, *version)});
  auto workload = Workload::from_document(std::move(stored.document));
  if (!workload) return about(id, std::move(workload).error());
  Decision decision = operation(std::move(*workload));
  if (decision.next) {
    auto staged = stage(std::move(*decision.next), stored.version, cause, kWorkloadMutated);
    if (!staged) return about(id, std::move(staged).error());
  }
  if (!decision.answer) return about(id, std::move(decision.answer).error());
  return std::move(decision.answer);
}

Result<void> Authority::stage(Workload next, std::uint64_t base_version, const Cause& cause,
                              std::string_view kind) {
  std::string id = next.id();
  Json audit = make_audit(kind, cause.operation, next);
  audit["actor"] = cause.actor;
  Transaction transaction{cause.at, {}};
  transaction.writes.push_back(
      {std::string(kWorkloads), id, base_version, std::move(next).take(), std::move(audit)});
  WORKCTL_CHECK(stage_(std::move(transaction)));
  staged_.push_back(std::move(id));
  return {};
}

Result<Json> Authority::answer_existing(const std::string& id, const RequestIdentity& identity) {
  WORKCTL_TRY(auto stored, get(id));
  WORKCTL_TRY(const auto workload, Workload::from_document(std::move(stored.document)));
  WORKCTL_CHECK(check_same_request(identity, workload));
  return Json{{"workload_id", id}, {"created", false}};
}

}  // namespace workctl
