#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/context.h"
#include "cli/decide.h"
#include "cli/selection.h"
#include "cli/shell_text.h"
#include "cli/wording.h"

namespace workctl::cli {

namespace {

constexpr Option kLimit = {.name = "--limit",
                           .kind = ValueKind::kCount,
                           .value_name = "N",
                           .help = "print at most this many",
                           .fallback = "100",
                           .minimum = 1,
                           .maximum = 1'000'000};
constexpr Option kCursor = {.name = "--cursor",
                            .kind = ValueKind::kName,
                            .value_name = "CURSOR",
                            .help = "go on where an earlier list ended"};
constexpr const Option* kOptions[] = {&kOfTenant, &kOfApplication, &kOfDefinition,
                                      &kInState,  &kLimit,         &kCursor};
constexpr Example kExamples[] = {
    {"workctl list --state dead_letter", "what nobody will take up again without `workctl retry`"},
    {"workctl list --tenant acme --limit 1000 -o id", "ids alone, for a loop"}};

/// Members of a workload that tell what it is and how it stands.
constexpr const char* kMembers[] = {
    "workload_id",   "tenant_id",       "application_id", "environment", "definition_id",
    "state",         "priority",        "created_at",     "updated_at",  "next_attempt_at",
    "attempt_count", "idempotency_key", "last_failure"};

Result<Answer> run(const Arguments& arguments, Context& context) {
  WORKCTL_TRY(View* const view, context.read());
  WORKCTL_TRY(const ListPage page, view->list(selection(arguments), arguments.text_or(kCursor, ""),
                                              arguments.count(kLimit)));
  std::vector<Json> items;
  for (const std::string& id : page.keys) {
    WORKCTL_TRY(const std::optional<StoredDocument> stored, view->get(kWorkloads, id));
    if (!stored) continue;
    Json item = {{"__version", stored->version}};
    for (const char* member : kMembers) item[member] = stored->document.value(member, Json());
    items.push_back(std::move(item));
  }
  if (!page.next.empty())
    context.notice(fmt::format("there is more: go on with --cursor {}", shell_quote(page.next)));
  return Answer{.value = {{"next", page.next.empty() ? Json() : Json(page.next)}},
                .items = std::move(items)};
}

std::string describe(const Answer& answer, const Style& style) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& item : answer.items.value())
    rows.push_back({member_text(item, "workload_id"), member_text(item, "state"),
                    member_text(item, "priority"), instant_text(item.at("created_at")),
                    member_text(item, "definition_id"), member_text(item, "attempt_count"),
                    member_text(item, "tenant_id"), member_text(item, "application_id")});
  if (rows.empty()) return "no workload matches\n";
  using enum Column::Fit;
  return table({{"ID"},
                {"STATE"},
                {"PRIORITY", kDropped},
                {"CREATED"},
                {"DEFINITION", kShortened},
                {"ATTEMPTS", kDropped},
                {"TENANT", kDropped},
                {"APPLICATION", kDropped}},
               rows, style);
}

}  // namespace

constexpr Command kListCommand = {
    .name = "list",
    .summary = "list work: by priority, then by age",
    .group = Group::kOperate,
    .options = kOptions,
    .notes =
        "Filters that are given all hold; several states count as any of them. JSON items hold "
        "what tells what a workload is and how it stands; `workctl show` prints it whole.",
    .examples = kExamples,
    .run = run,
    .describe = describe,
    .answers_ids = true};

}  // namespace workctl::cli
