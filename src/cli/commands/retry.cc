#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/options.h"

namespace workctl::cli {

namespace {

constexpr Option kReason = {
    .name = "--reason",
    .kind = ValueKind::kText,
    .value_name = "TEXT",
    .help = "why, for the history (its first 256 characters): text, @FILE or @-"};
constexpr const Option* kPositionals[] = {&kWorkload};
constexpr const Option* kOptions[] = {&kReason, &kActor, &kIfVersion};
constexpr Example kExamples[] = {
    {"workctl retry workload_9b1c --reason 'mail server is back'",
     "give work that failed, timed out or is dead-lettered one more attempt"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  const std::string& id = arguments.text(kWorkload);
  return change(context, arguments, id, [&](Authority& authority, Instant now) {
    return authority.retry(id, actor(arguments), now, arguments.optional_text(kReason));
  });
}

}  // namespace

constexpr Command kRetryCommand = {
    .name = "retry",
    .summary = "give failed or dead-lettered work one more attempt",
    .group = Group::kOperate,
    .positionals = kPositionals,
    .options = kOptions,
    .notes =
        "Each call grants one attempt beyond the policy's `max_attempts`, and a workload takes at "
        "most as many calls as it has attempts.",
    .examples = kExamples,
    .run = run,
    .describe = describe_outcome,
    .answers_ids = true};

}  // namespace workctl::cli
