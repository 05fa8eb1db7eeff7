#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/options.h"

namespace workctl::cli {

namespace {

constexpr const Option* kPositionals[] = {&kWorkload};
constexpr const Option* kOptions[] = {&kClaim, &kWorker, &kToken, &kIfVersion};
constexpr Example kExamples[] = {
    {"workctl confirm-cancel", "say that the work was stopped, as `workctl cancel` asked"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  const std::string& id = arguments.text(kWorkload);
  return change(context, arguments, id, [&](Authority& authority, Instant now) {
    return authority.confirm_cancel(id, fence(arguments, now));
  });
}

}  // namespace

constexpr Command kConfirmCancelCommand = {.name = "confirm-cancel",
                                           .summary = "stop work whose cancellation was requested",
                                           .group = Group::kWork,
                                           .positionals = kPositionals,
                                           .options = kOptions,
                                           .notes =
                                               "A worker sees the request in the `state` that "
                                               "`workctl show` prints, CANCELLATION_REQUESTED.",
                                           .examples = kExamples,
                                           .run = run,
                                           .describe = describe_outcome,
                                           .answers_ids = true};

}  // namespace workctl::cli
