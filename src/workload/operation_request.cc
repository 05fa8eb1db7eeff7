#include "workctl/workload/operation_request.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>

#include "workctl/base/text.h"
#include "workctl/workload/grant.h"
#include "workctl/workload/migration.h"
#include "workload/shape.h"

namespace workctl {

using Changed = std::vector<std::string>;

/// Arguments of one call, checked already.
class OperationArguments {
 public:
  explicit OperationArguments(Json& members) : members_(members) {}

  const std::string& text(std::string_view name) const {
    return members_.at(name).get_ref<const std::string&>();
  }
  const std::string& id() const { return text("id"); }
  const std::string& worker() const { return text("worker"); }
  const std::string& actor() const { return text("actor"); }
  std::uint64_t number(std::string_view name) const {
    return members_.at(name).get<std::uint64_t>();
  }
  Instant now() const { return members_.at("now").get<Instant>(); }
  Fence fence() const { return {text("claim"), worker(), number("token"), now()}; }
  std::vector<std::string> list(std::string_view name) const {
    return members_.at(name).get<std::vector<std::string>>();
  }
  std::set<std::string> capabilities() const {
    return members_.at("capabilities").get<std::set<std::string>>();
  }
  std::optional<std::string> text_if_given(std::string_view name) const {
    const Json& value = members_.at(name);
    if (value.is_null()) return std::nullopt;
    return value.get<std::string>();
  }
  bool has(std::string_view name) const { return members_.contains(name); }
  Json take(std::string_view name) { return std::move(members_.at(name)); }

 private:
  Json& members_;
};

/// A row of the table of operations.
struct OperationKind {
  std::string_view name;
  std::span<const Member> arguments;
  Result<Json> (*run)(OperationArguments, const OperationTarget&, Changed&);
  bool changes = true;
  bool reopens = false;
};

namespace {

using enum Type;

/// How many ids are listed at once.
constexpr std::size_t kPageSize = 1024;

constexpr Member kId{.name = "id", .type = kText};
constexpr Member kClaimId{.name = "claim", .type = kText};
constexpr Member kWorker{.name = "worker", .type = kText};
constexpr Member kToken{.name = "token", .type = kU64};
constexpr Member kNow{.name = "now", .type = kI64};
constexpr Member kActor{.name = "actor", .type = kText};
constexpr Member kTenant{.name = "tenant", .type = kText};
constexpr Member kApplication{.name = "application", .type = kText};
constexpr Member kCapabilities{.name = "capabilities", .type = kTextSet};
constexpr Member kLease{.name = "lease_ms", .type = kU64};

constexpr std::array kAdmit{Member{.name = "input"}};
constexpr std::array kGet{kId};
constexpr std::array kList{kTenant, kApplication};
constexpr std::array kClaim{kId, kWorker, kCapabilities, kNow, kLease};
constexpr std::array kClaimNext{kTenant, kApplication, kWorker, kCapabilities, kNow, kLease};
constexpr std::array kFenced{kId, kClaimId, kWorker, kToken, kNow};
constexpr std::array kHeartbeat{kId,    kClaimId, kWorker,
                                kToken, kNow,     Member{.name = "extend_ms", .type = kU64}};
constexpr std::array kContext{
    kId, kClaimId, kWorker, kToken, kNow, Member{.name = "secret_references", .type = kTextList}};
constexpr std::array kCheckpoint{kId, kClaimId, kWorker, kToken, kNow, Member{.name = "state"}};
constexpr std::array kComplete{kId,
                               kClaimId,
                               kWorker,
                               kToken,
                               kNow,
                               Member{.name = "result_id", .type = kText},
                               Member{.name = "output"},
                               Member{.name = "artifacts", .type = kTextList},
                               Member{.name = "schema_version", .type = kU64}};
constexpr std::array kFail{kId,
                           kClaimId,
                           kWorker,
                           kToken,
                           kNow,
                           Member{.name = "kind", .type = kText},
                           Member{.name = "error", .type = kText}};
constexpr std::array kByActor{kId, kActor, kNow};
constexpr std::array kRetry{
    kId, kActor, kNow,
    Member{.name = "reason", .type = kText, .nullable = Nullable::kYes, .fallback = "null"}};
constexpr std::array kRecover{kNow};
constexpr std::array kCanTransition{Member{.name = "from", .type = kState},
                                    Member{.name = "to", .type = kState}};

Result<Json> admit_request(OperationArguments arguments, const OperationTarget& target, Changed&) {
  WORKCTL_TRY(auto request, CreateRequest::from_json(arguments.take("input")));
  if (target.checks_trust) {
    WORKCTL_TRY(const bool trusted_only, grants_must_be_trusted(target.view));
    if (trusted_only)
      WORKCTL_CHECK(check_trusted(target.view, request.authorization(),
                                  request.members().at("application_id").get<std::string>(),
                                  target.now));
  }
  const Instant created_at = request.created_at();
  return target.authority.create(std::move(request), created_at);
}

Result<Json> get(OperationArguments arguments, const OperationTarget& target, Changed&) {
  WORKCTL_TRY(auto stored, target.authority.get(arguments.id()));
  return std::move(stored.document);
}

Result<Json> list(OperationArguments arguments, const OperationTarget& target, Changed&) {
  const ListFilter filter{.tenant = arguments.text("tenant"),
                          .application = arguments.text("application")};
  Json ids = Json::array();
  std::string cursor;
  do {
    WORKCTL_TRY(auto page, target.view.list(filter, cursor, kPageSize));
    for (std::string& id : page.keys) ids.push_back(std::move(id));
    cursor = std::move(page.next);
  } while (!cursor.empty());
  return ids;
}

Result<Json> claim(OperationArguments arguments, const OperationTarget& target, Changed&) {
  return target.authority.claim(arguments.id(), arguments.worker(), arguments.capabilities(),
                                arguments.now(), arguments.number("lease_ms"));
}

Result<Json> claim_next(OperationArguments arguments, const OperationTarget& target, Changed&) {
  const ReadyQuery query{arguments.text("tenant"), arguments.text("application"),
                         arguments.capabilities(), arguments.now()};
  return target.authority.claim_next(query, arguments.worker(), arguments.number("lease_ms"));
}

Result<Json> start(OperationArguments arguments, const OperationTarget& target, Changed&) {
  return target.authority.start(arguments.id(), arguments.fence());
}

Result<Json> heartbeat(OperationArguments arguments, const OperationTarget& target, Changed&) {
  return target.authority.heartbeat(arguments.id(), arguments.fence(),
                                    arguments.number("extend_ms"));
}

Result<Json> execution_context(OperationArguments arguments, const OperationTarget& target,
                               Changed&) {
  return target.authority.execution_context(arguments.id(), arguments.fence(),
                                            arguments.list("secret_references"));
}

Result<Json> checkpoint(OperationArguments arguments, const OperationTarget& target, Changed&) {
  return target.authority.checkpoint(arguments.id(), arguments.fence(), arguments.take("state"));
}

Result<Json> complete(OperationArguments arguments, const OperationTarget& target, Changed&) {
  Completion completion{arguments.text("result_id"), arguments.take("output"),
                        arguments.list("artifacts"), arguments.number("schema_version")};
  return target.authority.complete(arguments.id(), arguments.fence(), std::move(completion));
}

Result<Json> fail(OperationArguments arguments, const OperationTarget& target, Changed&) {
  return target.authority.fail(arguments.id(), arguments.fence(), arguments.text("kind"),
                               arguments.text("error"));
}

Result<Json> cancel(OperationArguments arguments, const OperationTarget& target, Changed&) {
  return target.authority.cancel(arguments.id(), arguments.actor(), arguments.now());
}

Result<Json> confirm_cancel(OperationArguments arguments, const OperationTarget& target, Changed&) {
  return target.authority.confirm_cancel(arguments.id(), arguments.fence());
}

Result<Json> time_out(OperationArguments arguments, const OperationTarget& target, Changed&) {
  return target.authority.time_out(arguments.id(), arguments.actor(), arguments.now());
}

Result<Json> retry(OperationArguments arguments, const OperationTarget& target, Changed&) {
  return target.authority.retry(arguments.id(), arguments.actor(), arguments.now(),
                                arguments.text_if_given("reason"));
}

Result<Json> recover_expired(OperationArguments arguments, const OperationTarget& target,
                             Changed&) {
  return target.authority.recover_expired(arguments.now());
}

Result<Json> can_transition(OperationArguments arguments, const OperationTarget&, Changed&) {
  const auto from = parse_state(arguments.text("from"));
  const auto to = parse_state(arguments.text("to"));
  return from && to && workctl::can_transition(*from, *to);
}

Result<Json> restart(OperationArguments, const OperationTarget& target, Changed&) {
  WORKCTL_TRY(const auto ids, target.view.keys(kWorkloads));
  return Json{{"workloads", ids.size()}};
}

Result<Json> migrate_legacy(OperationArguments arguments, const OperationTarget& target,
                            Changed& changed) {
  if (target.session == nullptr)
    return failure(errc::kInvalidInput, "migrate: not possible for a writer of its own view");
  Session& session = *target.session;
  const bool as_text = arguments.has("legacy_text");
  if (as_text == arguments.has("legacy"))
    return failure(errc::kInvalidInput, "migrate: give one of args.legacy and args.legacy_text");
  Json legacy = arguments.take(as_text ? "legacy_text" : "legacy");
  if (as_text && !legacy.is_string())
    return failure(errc::kInvalidInput, "migrate: args.legacy_text must be a string");
  auto report = as_text ? migrate(session, legacy.get_ref<const std::string&>(), target.now,
                                  target.migration_line_bytes, {})
                        : migrate_document(session, std::move(legacy), target.now,
                                           target.migration_line_bytes, {});
  if (!report) return std::unexpected(std::move(report).error());
  std::ranges::move(report->imported, std::back_inserter(changed));
  WORKCTL_TRY(const auto ids, session.keys(kWorkloads));
  return ids;
}

constexpr std::array kKinds{
    OperationKind{"admit", kAdmit, admit_request},
    OperationKind{"get", kGet, get, false},
    OperationKind{"list", kList, list, false},
    OperationKind{"claim", kClaim, claim},
    OperationKind{"claim_next", kClaimNext, claim_next},
    OperationKind{"start", kFenced, start},
    OperationKind{"heartbeat", kHeartbeat, heartbeat},
    OperationKind{"execution_context", kContext, execution_context, false},
    OperationKind{"checkpoint", kCheckpoint, checkpoint},
    OperationKind{"complete", kComplete, complete},
    OperationKind{"fail", kFail, fail},
    OperationKind{"cancel", kByActor, cancel},
    OperationKind{"confirm_cancel", kFenced, confirm_cancel},
    OperationKind{"timeout", kByActor, time_out},
    OperationKind{"retry", kRetry, retry},
    OperationKind{"recover_expired", kRecover, recover_expired},
    OperationKind{"can_transition", kCanTransition, can_transition, false},
    OperationKind{"restart", {}, restart, false, true},
    OperationKind{"migrate", {}, migrate_legacy, true, true},
};

}  // namespace

Result<OperationRequest> OperationRequest::from_json(Json request) {
  if (!request.is_object()) return failure(errc::kInvalidInput, "an operation must be an object");
  const auto op = request.find("op");
  if (op == request.end() || !op->is_string())
    return failure(errc::kInvalidInput, "an operation must have a string op");
  const auto& name = op->get_ref<const std::string&>();
  const auto kind = std::ranges::find(kKinds, name, &OperationKind::name);
  if (kind == kKinds.end())
    return failure(errc::kInvalidInput, fmt::format("no operation {}", printable(name)));
  Json arguments = Json::object();
  if (const auto given = request.find("args"); given != request.end())
    arguments = std::move(*given);
  if (!arguments.is_object())
    return failure(errc::kInvalidInput, fmt::format("{}: args must be an object", name));
  const Shape shape{kind->arguments};
  fill_in(arguments, shape);
  if (const auto fault = find_fault(arguments, shape))
    return failure(errc::kInvalidInput, fmt::format("{}: args.{}", name, *fault));
  return OperationRequest(*kind, std::move(arguments));
}

std::string_view OperationRequest::name() const { return kind_->name; }
bool OperationRequest::changes() const { return kind_->changes; }
bool OperationRequest::reopens() const { return kind_->reopens; }

OperationOutcome OperationRequest::run(const OperationTarget& target) && {
  OperationOutcome outcome{nullptr, {}};
  (void)target.authority.take_staged();
  outcome.answer = kind_->run(OperationArguments(arguments_), target, outcome.changed);
  std::ranges::move(target.authority.take_staged(), std::back_inserter(outcome.changed));
  return outcome;
}

}  // namespace workctl
