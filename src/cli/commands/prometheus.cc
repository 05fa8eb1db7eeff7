#include "cli/commands/prometheus.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace workctl::cli {

namespace {

/// A label's value: backslash, quote and newline are escaped, everything else is raw UTF-8.
std::string label(const std::string& value) {
  std::string text;
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
  return text;
}

struct Metric {
  const char* name;
  const char* member;
  const char* help;
};

constexpr Metric kMetrics[] = {
    {"workctl_oldest_ready_seconds", "oldest_ready_seconds",
     "For how long some work has been ready"},
    {"workctl_documents", "documents", "Documents stored"},
    {"workctl_live_bytes", "live_bytes", "Bytes of the documents as they stand"},
    {"workctl_log_bytes", "log_bytes", "Bytes of the log"},
    {"workctl_archive_bytes", "archive_bytes", "Bytes of what is kept in archive/"},
    {"workctl_generation", "generation", "Generation of the log"},
    {"workctl_revision", "revision", "Commits since the store was made"},
    {"workctl_last_commit_timestamp_seconds", "last_commit_at", "When the last commit was made"},
};

void declare(std::string& out, const char* name, const char* help) {
  fmt::format_to(std::back_inserter(out), "# HELP {} {}.\n# TYPE {} gauge\n", name, help, name);
}

}  // namespace

std::string prometheus_text(const Json& stats) {
  std::string out;
  declare(out, "workctl_workloads", "Workloads by tenant, application and state");
  for (const Json& queue : stats.at("queues"))
    for (const auto& [state, count] : queue.at("states").items())
      fmt::format_to(std::back_inserter(out),
                     "workctl_workloads{{tenant=\"{}\",application=\"{}\",state=\"{}\"}} {}\n",
                     label(queue.at("tenant_id").get<std::string>()),
                     label(queue.at("application_id").get<std::string>()), label(state),
                     count.dump());
  for (const Metric& metric : kMetrics) {
    const Json& value = stats.at(metric.member);
    if (value.is_null()) continue;
    declare(out, metric.name, metric.help);
    fmt::format_to(std::back_inserter(out), "{} {}\n", metric.name, value.dump());
  }
  return out;
}

}  // namespace workctl::cli
