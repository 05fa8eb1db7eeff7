#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/options.h"
#include "cli/wording.h"

namespace workctl::cli {

namespace {

constexpr Example kExamples[] = {
    {"workctl recover", "give the work of lost workers to others; for cron, say each minute"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  WORKCTL_TRY(const Json recovered,
              decide(context, arguments, [](Authority& authority, Instant now) -> Result<Json> {
                WORKCTL_TRY(const Json ids, authority.recover_expired(now));
                Json outcomes = Json::array();
                for (const Json& id : ids) {
                  WORKCTL_TRY(Json one, outcome(authority, id.get<std::string>()));
                  outcomes.push_back(std::move(one));
                }
                return outcomes;
              }));
  return Answer{.value = {{"recovered", recovered.size()}},
                .items = std::vector<Json>(recovered.begin(), recovered.end())};
}

std::string describe(const Answer& answer, const Style& style) {
  std::string text;
  for (const Json& item : answer.items.value()) text += describe_outcome({.value = item}, style);
  return text + fmt::format("{} recovered\n", counted(answer.items->size(), "workload"));
}

}  // namespace

constexpr Command kRecoverCommand = {
    .name = "recover",
    .summary = "take back work whose lease ran out",
    .group = Group::kOperate,
    .notes =
        "Looks at every tenant and application. Each workload goes back to READY, or to "
        "DEAD_LETTER when no attempt is left or its policy does not name `worker_failure`, or to "
        "CANCELLED when its cancellation was requested. Running it when nothing is lost changes "
        "nothing.",
    .examples = kExamples,
    .run = run,
    .describe = describe,
    .answers_ids = true};

}  // namespace workctl::cli
