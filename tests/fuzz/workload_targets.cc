#include <nlohmann/json.hpp>

#include "fuzz/targets.h"
#include "support/memory_session.h"
#include "workctl/workload/migration.h"
#include "workctl/workload/operation_request.h"
#include "workctl/workload/workload.h"

namespace workctl::fuzz {

namespace {

void demand_workloads(MemorySession& session) {
  const std::vector<std::string> keys = session.keys(kWorkloads).value();
  for (const std::string& key : keys) {
    auto stored = session.get(kWorkloads, key).value();
    demand(stored.has_value(), "a listed document can be read");
    demand(Workload::from_document(std::move(stored->document)).has_value(),
           "what is stored is a workload");
  }
}

}  // namespace

void fuzz_operation(std::string_view input) {
  MemorySession session;
  Authority authority(session);
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    auto json = parse_json(input.substr(0, end), "line");
    input.remove_prefix(std::min(end + 1, input.size()));
    if (!json) continue;
    auto request = OperationRequest::from_json(std::move(*json));
    if (!request) {
      demand(!request.error().message.empty(), "a refusal says why");
      continue;
    }
    const auto outcome =
        std::move(*request).run({.authority = authority, .view = session, .session = &session});
    if (!outcome.answer) demand(!outcome.answer.error().message.empty(), "a refusal says why");
  }
  demand_workloads(session);
}

void fuzz_legacy(std::string_view input) {
  MemorySession session;
  const auto report = migrate(session, input, 500, UINT64_MAX, {});
  const std::size_t stored = session.keys(kWorkloads).value().size();
  if (!report) {
    demand(stored == 0, "a refused file leaves nothing");
    return;
  }
  demand(report->imported.size() == stored, "what was taken over is there");
  demand_workloads(session);
  const auto again = migrate(session, input, 501, UINT64_MAX, {});
  demand(again && again->imported.empty(), "taken over again, nothing changes");
}

}  // namespace workctl::fuzz
