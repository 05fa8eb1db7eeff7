#include <fmt/format.h>

#include <map>

#include "cli/arguments.h"
#include "cli/command_table.h"
#include "cli/commands/prometheus.h"
#include "cli/context.h"
#include "cli/wording.h"
#include "workctl/base/time_text.h"

namespace workctl::cli {

namespace {

constexpr Option kPrometheus = {
    .name = "--prometheus",
    .help =
        "print metrics in the text format of Prometheus, for node_exporter's textfile collector"};
constexpr const Option* kOptions[] = {&kPrometheus};
constexpr Example kExamples[] = {
    {"workctl stats", "how much work there is, in which states, and how long the log is"},
    {"workctl stats --prometheus >workctl.prom.new && mv workctl.prom.new workctl.prom",
     "for a textfile collector, from cron"}};

/// Counts by state, for each tenant and application.
Json queues_json(const std::vector<StateCount>& counts) {
  std::map<std::pair<std::string, std::string>, Json> queues;
  for (const StateCount& count : counts)
    queues[{count.tenant, count.application}][count.state] = count.count;
  Json list = Json::array();
  for (auto& [queue, states] : queues)
    list.push_back({{"tenant_id", queue.first},
                    {"application_id", queue.second},
                    {"states", std::move(states)}});
  return list;
}

Json states_json(const std::vector<StateCount>& counts) {
  std::map<std::string, std::uint64_t> states;
  for (const StateCount& count : counts) states[count.state] += count.count;
  return Json(states);
}

Result<Answer> run(const Arguments& arguments, Context& context) {
  WORKCTL_TRY(View* const view, context.read());
  WORKCTL_TRY(const auto counts, view->counts());
  WORKCTL_TRY(const auto oldest, view->oldest_ready());
  WORKCTL_TRY(const StoredSize size, view->size());
  WORKCTL_TRY(const StorageUse storage, context.engine().storage());
  std::uint64_t workloads = 0;
  for (const StateCount& count : counts) workloads += count.count;
  const Instant now = context.now();
  Json value = {
      {"store_id", context.engine().store_id()},
      {"revision", view->revision()},
      {"last_commit_at", view->last_commit_at()},
      {"workloads", workloads},
      {"states", states_json(counts)},
      {"queues", queues_json(counts)},
      {"oldest_ready_at", oldest ? Json(*oldest) : Json()},
      {"oldest_ready_seconds", oldest ? Json(std::max<Instant>(now - *oldest, 0)) : Json()},
      {"documents", size.documents},
      {"live_bytes", size.bytes},
      {"dead_bytes", storage.bytes - std::min(storage.bytes, size.bytes)},
      {"log_bytes", storage.bytes},
      {"archive_bytes", storage.archive_bytes},
      {"generation", storage.generation}};
  Answer answer{.value = std::move(value)};
  if (arguments.has(kPrometheus)) answer.text = prometheus_text(answer.value);
  return answer;
}

std::string describe(const Answer& answer, const Style& style) {
  const Json& value = answer.value;
  const auto number = [&](const char* member) { return value.at(member).get<std::uint64_t>(); };
  std::string text;
  std::vector<std::vector<std::string>> rows;
  for (const Json& queue : value.at("queues"))
    for (const auto& [state, count] : queue.at("states").items())
      rows.push_back({member_text(queue, "tenant_id"), member_text(queue, "application_id"), state,
                      count.dump()});
  if (!rows.empty())
    text += table({{"TENANT", Column::Fit::kShortened},
                   {"APPLICATION", Column::Fit::kShortened},
                   {"STATE"},
                   {"WORKLOADS"}},
                  rows, style) +
            "\n";
  text += counted(number("workloads"), "workload");
  if (!value.at("oldest_ready_seconds").is_null())
    text += fmt::format(", the oldest ready one for {}",
                        format_duration_ms(number("oldest_ready_seconds") * 1000));
  text +=
      fmt::format("\nlog: {} in generation {}, of which {} are documents as they stand",
                  counted(number("log_bytes"), "byte"), number("generation"), number("live_bytes"));
  if (number("archive_bytes") > 0)
    text += fmt::format("; {} in archive/", counted(number("archive_bytes"), "byte"));
  return text + fmt::format("\nrevision {}, committed {}\n", number("revision"),
                            instant_text(value.at("last_commit_at")));
}

}  // namespace

constexpr Command kStatsCommand = {
    .name = "stats",
    .summary = "count the work, and measure the log",
    .group = Group::kStore,
    .options = kOptions,
    .notes = "`dead_bytes` is what of the log is not a document as it stands: history and audit.",
    .examples = kExamples,
    .run = run,
    .describe = describe};

}  // namespace workctl::cli
