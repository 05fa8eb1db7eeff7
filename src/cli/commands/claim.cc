#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/wording.h"
#include "workctl/base/text.h"

namespace workctl::cli {

namespace {

constexpr Option kId = {.name = "ID",
                        .kind = ValueKind::kName,
                        .value_name = "ID",
                        .help = "the workload to take; not with --next"};
constexpr Option kNext = {.name = "--next",
                          .help = "take what is first in turn: by priority, then by age"};
constexpr Option kTenant = {.name = "--tenant",
                            .kind = ValueKind::kName,
                            .value_name = "TENANT",
                            .help = "whose work --next looks at",
                            .variable = "WORKCTL_TENANT",
                            .fallback = "default"};
constexpr Option kApplication = {.name = "--application",
                                 .kind = ValueKind::kName,
                                 .value_name = "APPLICATION",
                                 .help = "of which application",
                                 .variable = "WORKCTL_APPLICATION",
                                 .fallback = "default"};
constexpr Option kLease = {.name = "--lease",
                           .kind = ValueKind::kDuration,
                           .value_name = "DURATION",
                           .help = "how long the work is the worker's without a heartbeat",
                           .variable = "WORKCTL_LEASE",
                           .fallback = "60s",
                           .minimum = kLeaseMinMs};
constexpr Option kCapability = {
    .name = "--capability",
    .kind = ValueKind::kName,
    .value_name = "CAPABILITY",
    .help = "something the worker can do; work that needs more is not taken",
    .variable = "WORKCTL_CAPABILITIES",
    .repeatable = true};
constexpr Option kIgnoreDependencies = {
    .name = "--ignore-dependencies",
    .help = "take the workload ID although it waits for others; --next never does"};

constexpr const Option* kPositionals[] = {&kId};
constexpr const Option* kOptions[] = {
    &kNext,     &kWorker, &kLease, &kCapability, &kTenant, &kApplication, &kIgnoreDependencies,
    &kIfVersion};
constexpr Example kExamples[] = {
    {R"sh(eval "$(workctl claim --next -o env)" && workctl start)sh",
     "take the next piece of work and begin it; the shell then holds claim and token"},
    {"workctl claim --next --capability email:send --lease 5m",
     "only work that needs no more than this, for five minutes"},
    {"workctl claim workload_9b1c", "take this very piece of work"}};

Result<void> check(const Arguments& arguments) {
  if (arguments.has(kId) == arguments.has(kNext))
    return failure(errc::kInvalidInput, "give the ID of a workload, or --next, and not both");
  for (const Option* option : {&kIgnoreDependencies, &kIfVersion})
    if (arguments.has(kNext) && arguments.given(*option))
      return failure(errc::kInvalidInput,
                     fmt::format("option {} does not go with --next", option->name));
  for (const Option* option : {&kTenant, &kApplication})
    if (arguments.has(kId) && arguments.given(*option))
      return failure(errc::kInvalidInput,
                     fmt::format("option {} goes with --next only", option->name));
  return {};
}

/// `kDependenciesNotMet`, naming them, when the workload is ready but waits for others.
Result<void> check_dependencies(Authority& authority, const std::string& id) {
  WORKCTL_TRY(const std::vector<Json> unmet, authority.unmet_dependencies(id));
  if (unmet.empty()) return {};
  std::string list;
  for (const Json& one : unmet)
    list += fmt::format("{}{} to be {} (it is {})", list.empty() ? "" : ", ",
                        member_text(one, "workload_id"), member_text(one, "required_state"),
                        one.at("state").is_null() ? "not there" : member_text(one, "state"));
  auto refusal = failure(errc::kDependenciesNotMet,
                         fmt::format("workload {} waits for {}", printable(id), list),
                         "--ignore-dependencies takes it all the same");
  refusal.error().workload_id = id;
  return refusal;
}

Result<Json> claim_one(const Arguments& arguments, Authority& authority, Instant now) {
  const std::string& id = arguments.text(kId);
  if (!arguments.has(kIgnoreDependencies)) {
    WORKCTL_TRY(StoredDocument stored, authority.get(id));
    WORKCTL_TRY(const Workload workload, Workload::from_document(std::move(stored.document)));
    // Of work that is not ready its state says more.
    if (workload.state() == State::kReady) WORKCTL_CHECK(check_dependencies(authority, id));
  }
  return authority.claim(id, worker(arguments), arguments.text_set(kCapability), now,
                         arguments.duration_ms(kLease));
}

/// Goes on past work that turns out to have no attempts left: the claim has dead-lettered it.
Result<Json> claim_next(const Arguments& arguments, Authority& authority, Instant now,
                        std::vector<std::string>& exhausted) {
  const ReadyQuery query = {.tenant = arguments.text(kTenant),
                            .application = arguments.text(kApplication),
                            .capabilities = arguments.text_set(kCapability),
                            .now = now};
  for (;;) {
    Result<Json> claim =
        authority.claim_next(query, worker(arguments), arguments.duration_ms(kLease));
    const bool passed_over = !claim && claim.error().code == errc::kAttemptsExhausted &&
                             !authority.take_staged().empty();
    if (!passed_over) return claim;
    exhausted.push_back(claim.error().message);
  }
}

Result<Answer> run(const Arguments& arguments, Context& context) {
  std::vector<std::string> exhausted;
  WORKCTL_TRY(Json claim, decide(context, arguments, [&](Authority& authority, Instant now) {
                return arguments.has(kNext) ? claim_next(arguments, authority, now, exhausted)
                                            : claim_one(arguments, authority, now);
              }));
  for (const std::string& message : exhausted) context.notice("passed over: " + message);
  if (claim.is_null()) {
    context.notice(fmt::format("nothing to claim for tenant {}, application {}",
                               arguments.text(kTenant), arguments.text(kApplication)));
    return Answer{.exit_status = kExitNothingNow};
  }
  return Answer{.value = std::move(claim)};
}

std::string describe(const Answer& answer, const Style&) {
  const Json& claim = answer.value;
  if (claim.is_null()) return {};
  return fmt::format("{} is held by {} until {}\nclaim {}, token {}\n",
                     member_text(claim, "workload_id"), member_text(claim, "worker_id"),
                     instant_text(claim.at("expires_at")), member_text(claim, "claim_id"),
                     member_text(claim, "fencing_token"));
}

std::vector<Assignment> assign(const Answer& answer) {
  const Json& claim = answer.value;
  return {{"WORKCTL_WORKLOAD", claim.at("workload_id").get<std::string>()},
          {"WORKCTL_CLAIM", claim.at("claim_id").get<std::string>()},
          {"WORKCTL_WORKER", claim.at("worker_id").get<std::string>()},
          {"WORKCTL_TOKEN", claim.at("fencing_token").dump()}};
}

}  // namespace

constexpr Command kClaimCommand = {
    .name = "claim",
    .summary = "take work under a lease",
    .group = Group::kWork,
    .positionals = kPositionals,
    .options = kOptions,
    .notes =
        "The work is the worker's until the lease runs out; `workctl heartbeat` makes it last "
        "longer. Every command of a worker shows the claim and its fencing token, and ends with "
        "exit status 6 once the work is somebody else's.\n\n"
        "Exit status 8 says that there is nothing to take now. `-o env` then prints commands that "
        "unset the variables and fail, so that `eval \"$(workctl claim --next -o env)\" && ...` "
        "stops; printing nothing would count as success. Where workctl itself may be missing, use "
        "`claim=$(workctl claim --next -o env) && eval \"$claim\" && ...`.",
    .examples = kExamples,
    .run = run,
    .check = check,
    .describe = describe,
    .assign = assign,
    .answers_ids = true};

}  // namespace workctl::cli
