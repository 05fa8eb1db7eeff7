#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/options.h"
#include "cli/wording.h"

namespace workctl::cli {

namespace {

constexpr Example kExamples[] = {
    {"workctl recover", "give the work of lost workers to others; for cron, say each minute"}};

/// What shares one line of the log, unless a single document is larger.
constexpr std::uint64_t kChunkBytes = 1U << 20;

Result<Answer> run(const Arguments&, Context& context) {
  WORKCTL_TRY(const std::unique_ptr<Session> session, context.begin());
  const Instant now = context.now();
  Authority authority(*session);
  std::vector<Json> outcomes;
  std::size_t durable = 0;
  const auto commit = [&]() -> Result<void> {
    Result<void> committed = session->commit();
    if (!committed && durable > 0)
      committed.error().message +=
          fmt::format("; {} were recovered before", counted(durable, "workload"));
    durable = outcomes.size();
    return committed;
  };
  WORKCTL_TRY(const std::vector<std::string> expired, session->expired_leases(now));
  for (const std::string& id : expired) {
    WORKCTL_TRY(const bool recovered, authority.recover(id, now));
    if (!recovered) continue;
    WORKCTL_TRY(Json one, outcome(authority, id));
    outcomes.push_back(std::move(one));
    if (session->staged_bytes() >= kChunkBytes) WORKCTL_CHECK(commit());
  }
  WORKCTL_CHECK(commit());
  return Answer{.value = {{"recovered", outcomes.size()}}, .items = std::move(outcomes)};
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
