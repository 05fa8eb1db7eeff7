#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/options.h"
#include "cli/wording.h"

namespace workctl::cli {

namespace {

constexpr Option kState = {.name = "--state",
                           .kind = ValueKind::kJson,
                           .value_name = "JSON",
                           .help = "how far the work is: JSON, @FILE or @-",
                           .required = true};
constexpr const Option* kPositionals[] = {&kWorkload};
constexpr const Option* kOptions[] = {&kState, &kClaim, &kWorker, &kToken, &kIfVersion};
constexpr Example kExamples[] = {
    {R"(workctl checkpoint --state '{"rows_done": 4000}')", "record how far the work is"},
    {"workctl checkpoint --state @progress.json", "the same from a file"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  const std::string& id = arguments.text(kWorkload);
  WORKCTL_TRY(Json value, decide(context, arguments, [&](Authority& authority, Instant now) {
                return authority.checkpoint(id, fence(arguments, now), arguments.json(kState));
              }));
  return Answer{.value = std::move(value)};
}

std::string describe(const Answer& answer, const Style&) {
  return fmt::format("{} recorded\n", member_text(answer.value, "checkpoint_id"));
}

}  // namespace

constexpr Command kCheckpointCommand = {
    .name = "checkpoint",
    .summary = "record how far work is, for whoever continues it",
    .group = Group::kWork,
    .positionals = kPositionals,
    .options = kOptions,
    .notes =
        "The state must hold no secret. A later attempt finds it in what `workctl show` prints, "
        "the last of `checkpoints`.",
    .examples = kExamples,
    .run = run,
    .describe = describe,
    .answers_ids = true};

}  // namespace workctl::cli
