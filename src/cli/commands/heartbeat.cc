#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/options.h"
#include "cli/wording.h"

namespace workctl::cli {

namespace {

constexpr Option kLease = {.name = "--lease",
                           .kind = ValueKind::kDuration,
                           .value_name = "DURATION",
                           .help = "the lease lasts this long from now on",
                           .variable = "WORKCTL_LEASE",
                           .fallback = "60s",
                           .minimum = kLeaseMinMs};
constexpr const Option* kPositionals[] = {&kWorkload};
constexpr const Option* kOptions[] = {&kClaim, &kWorker, &kToken, &kLease, &kIfVersion};
constexpr Example kExamples[] = {
    {"workctl heartbeat", "keep the work that the variables name for another minute"},
    {"workctl heartbeat --lease 10m || exit", "stop as soon as the work is somebody else's"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  const std::string& id = arguments.text(kWorkload);
  WORKCTL_TRY(Json value, decide(context, arguments, [&](Authority& authority, Instant now) {
                return authority.heartbeat(id, fence(arguments, now),
                                           arguments.duration_ms(kLease));
              }));
  return Answer{.value = std::move(value)};
}

std::string describe(const Answer& answer, const Style&) {
  return fmt::format("{} is held by {} until {}\n", member_text(answer.value, "workload_id"),
                     member_text(answer.value, "worker_id"),
                     instant_text(answer.value.at("expires_at")));
}

}  // namespace

constexpr Command kHeartbeatCommand = {
    .name = "heartbeat",
    .summary = "keep work that one holds: make its lease last longer",
    .group = Group::kWork,
    .positionals = kPositionals,
    .options = kOptions,
    .notes =
        "The lease ends DURATION after the heartbeat, even where it would have lasted longer "
        "without. Exit status 6 says that the work is not the worker's any more.",
    .examples = kExamples,
    .run = run,
    .describe = describe,
    .answers_ids = true};

}  // namespace workctl::cli
