#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/options.h"

namespace workctl::cli {

namespace {

constexpr const Option* kPositionals[] = {&kWorkload};
constexpr const Option* kOptions[] = {&kClaim, &kWorker, &kToken, &kIfVersion};
constexpr Example kExamples[] = {
    {R"sh(eval "$(workctl claim --next -o env)" && workctl start)sh",
     "take a piece of work and begin it; claim and token come from the variables"},
    {"workctl start workload_9b1c --claim claim_7d02 --worker ada@forge --token 1",
     "the same with everything spelled out"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  const std::string& id = arguments.text(kWorkload);
  return change(context, arguments, id, [&](Authority& authority, Instant now) {
    return authority.start(id, fence(arguments, now));
  });
}

}  // namespace

constexpr Command kStartCommand = {.name = "start",
                                   .summary = "say that claimed work is being done",
                                   .group = Group::kWork,
                                   .positionals = kPositionals,
                                   .options = kOptions,
                                   .examples = kExamples,
                                   .run = run,
                                   .describe = describe_outcome,
                                   .answers_ids = true};

}  // namespace workctl::cli
