#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/options.h"

namespace workctl::cli {

namespace {

constexpr const Option* kPositionals[] = {&kWorkload};
constexpr const Option* kOptions[] = {&kActor, &kIfVersion};
constexpr Example kExamples[] = {{"workctl cancel workload_9b1c", "call off a piece of work"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  const std::string& id = arguments.text(kWorkload);
  return change(context, arguments, id, [&](Authority& authority, Instant now) {
    return authority.cancel(id, actor(arguments), now);
  });
}

}  // namespace

constexpr Command kCancelCommand = {
    .name = "cancel",
    .summary = "call off work, or ask its worker to stop",
    .group = Group::kProduce,
    .positionals = kPositionals,
    .options = kOptions,
    .notes =
        "Work that nobody holds is CANCELLED at once. Work under a claim goes to "
        "CANCELLATION_REQUESTED and is CANCELLED when its worker confirms, or when its lease runs "
        "out and `workctl recover` finds it.",
    .examples = kExamples,
    .run = run,
    .describe = describe_outcome,
    .answers_ids = true};

}  // namespace workctl::cli
