#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/options.h"
#include "workctl/workload/secrets.h"

namespace workctl::cli {

namespace {

constexpr Option kKind = {.name = "--kind",
                          .kind = ValueKind::kName,
                          .value_name = "KIND",
                          .help = "kind of failure; it is tried again if the retry policy names it",
                          .fallback = "worker_failure"};
constexpr Option kError = {.name = "--error",
                           .kind = ValueKind::kText,
                           .value_name = "TEXT",
                           .help = "what went wrong: text, @FILE or @-",
                           .fallback = "unspecified"};
constexpr const Option* kPositionals[] = {&kWorkload};
constexpr const Option* kOptions[] = {&kKind, &kError, &kClaim, &kWorker, &kToken, &kIfVersion};
constexpr Example kExamples[] = {
    {"workctl fail --error 'mail server said 451'", "give up this attempt; another may follow"},
    {"workctl fail --kind bad_input --error @stderr.txt",
     "a kind that the usual policy does not try again: the work goes to DEAD_LETTER"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  const std::string& id = arguments.text(kWorkload);
  // Said here, too, to name the option.
  WORKCTL_CHECK(reject_secret_text(arguments.text(kError), kError.name));
  return change(context, arguments, id, [&](Authority& authority, Instant now) {
    return authority.fail(id, fence(arguments, now), arguments.text(kKind), arguments.text(kError));
  });
}

}  // namespace

constexpr Command kFailCommand = {
    .name = "fail",
    .summary = "end an attempt without success",
    .group = Group::kWork,
    .positionals = kPositionals,
    .options = kOptions,
    .notes =
        "The work is READY again, after the policy's delay, when its retry policy names the kind "
        "and attempts are left; else it goes to DEAD_LETTER, where an operator's `workctl retry` "
        "can fetch it. The usual policy names timeout, worker_failure and transient_connection.\n\n"
        "The error text must hold no secret.",
    .examples = kExamples,
    .run = run,
    .describe = describe_outcome,
    .answers_ids = true};

}  // namespace workctl::cli
