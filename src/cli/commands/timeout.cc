#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/options.h"

namespace workctl::cli {

namespace {

constexpr const Option* kPositionals[] = {&kWorkload};
constexpr const Option* kOptions[] = {&kActor, &kIfVersion};
constexpr Example kExamples[] = {
    {"workctl timeout workload_9b1c", "take the work from its worker: it took too long"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  const std::string& id = arguments.text(kWorkload);
  return change(context, arguments, id, [&](Authority& authority, Instant now) {
    return authority.time_out(id, actor(arguments), now);
  });
}

}  // namespace

constexpr Command kTimeoutCommand = {
    .name = "timeout",
    .summary = "declare that work took too long",
    .group = Group::kOperate,
    .positionals = kPositionals,
    .options = kOptions,
    .notes =
        "The claim ends at once. The work is READY again when its retry policy names `timeout` and "
        "attempts are left, else it goes to DEAD_LETTER.",
    .examples = kExamples,
    .run = run,
    .describe = describe_outcome,
    .answers_ids = true};

}  // namespace workctl::cli
