#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/context.h"
#include "cli/decide.h"
#include "cli/options.h"
#include "cli/wording.h"
#include "workctl/base/text.h"

namespace workctl::cli {

namespace {

constexpr const Option* kPositionals[] = {&kWorkload};
constexpr Example kExamples[] = {
    {"workctl show workload_9b1c", "what it is, how it stands and what happened to it"},
    {"workctl show -o jsonl | jq .input", "the input of the work that WORKCTL_WORKLOAD names"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  WORKCTL_TRY(View* const view, context.read());
  Authority authority(*view, Stage());
  WORKCTL_TRY(StoredDocument stored, authority.get(arguments.text(kWorkload)));
  stored.document["__version"] = stored.version;
  return Answer{.value = std::move(stored.document)};
}

/// Lines of a name and a value, the names in one column.
class Sheet {
 public:
  explicit Sheet(const Style& style) : style_(style) {}

  void line(std::string_view name, const std::string& value) {
    text_ += fmt::format("{:<14}{}\n", name, value);
  }
  void title(std::string_view title) { text_ += fmt::format("\n{}\n", heading(title, style_)); }
  /// One line, shortened to the terminal where there is one.
  void item(const std::string& text) {
    constexpr std::size_t kIndent = 2;
    const bool fits = style_.width <= kIndent;
    text_ += fmt::format("  {}\n", fits ? text : shortened(text, style_.width - kIndent));
  }
  void value(const Json& value) { item(printable(canonical_text(value))); }
  std::string take() { return std::move(text_); }

 private:
  const Style& style_;
  std::string text_{};
};

void write_claim(const Json& claim, Sheet& sheet) {
  if (claim.is_null()) return;
  sheet.line("held by", fmt::format("{} until {}", member_text(claim, "worker_id"),
                                    instant_text(claim.at("expires_at"))));
  sheet.line("claim", fmt::format("{}, token {}", member_text(claim, "claim_id"),
                                  member_text(claim, "fencing_token")));
}

void write_waiting(const Json& workload, Sheet& sheet) {
  if (!workload.at("next_attempt_at").is_null())
    sheet.line("not before", instant_text(workload.at("next_attempt_at")));
  for (const Json& dependency : workload.at("dependencies"))
    sheet.line("after", fmt::format("{} {}", member_text(dependency, "workload_id"),
                                    member_text(dependency, "required_state")));
}

/// `1 of 3`, with what operators granted beside the policy's own.
std::string attempts_text(const Json& workload) {
  const Result<Workload> checked = Workload::from_document(workload);
  std::string text = member_text(workload, "attempt_count");
  if (checked) text += fmt::format(" of {}", checked->attempt_budget());
  if (checked && checked->operator_retries() != 0)
    text += fmt::format(", {} granted by operators", checked->operator_retries());
  return text;
}

/// Evidence of an event: `name value, name value`.
std::string evidence_text(const Json& evidence) {
  std::string text;
  for (const auto& [name, value] : evidence.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", printable(name),
                        member_text(evidence, name));
  return text.empty() ? text : " (" + text + ")";
}

std::string describe(const Answer& answer, const Style& style) {
  const Json& workload = answer.value;
  Sheet sheet(style);
  sheet.line("workload", member_text(workload, "workload_id"));
  sheet.line("state", state_text(workload.at("state").get<std::string>(), style));
  sheet.line("definition", fmt::format("{}, revision {}", member_text(workload, "definition_id"),
                                       member_text(workload, "definition_revision")));
  sheet.line(
      "belongs to",
      fmt::format("tenant {}, application {}, environment {}", member_text(workload, "tenant_id"),
                  member_text(workload, "application_id"), member_text(workload, "environment")));
  const Json& requester = workload.at("requested_by");
  sheet.line("requested by",
             fmt::format("{} {}, trigger {}", member_text(requester, "kind"),
                         member_text(requester, "id"), member_text(workload, "trigger")));
  sheet.line("key", member_text(workload, "idempotency_key"));
  sheet.line("priority", member_text(workload, "priority"));
  sheet.line("created", instant_text(workload.at("created_at")));
  sheet.line("attempts", attempts_text(workload));
  sheet.line("version", member_text(workload, "__version"));
  write_waiting(workload, sheet);
  write_claim(workload.at("current_claim"), sheet);
  if (!workload.at("last_failure").is_null())
    sheet.line("last failure", member_text(workload, "last_failure"));

  sheet.title("input");
  sheet.value(workload.at("input"));
  if (!workload.at("checkpoints").empty()) {
    sheet.title("last checkpoint");
    sheet.value(workload.at("checkpoints").back().at("state"));
  }
  if (!workload.at("result").is_null()) {
    sheet.title("output");
    sheet.value(workload.at("result").at("output"));
  }
  sheet.title("history");
  for (const Json& event : workload.at("execution_history"))
    sheet.item(fmt::format("{}  {:<22}  {}{}", instant_text(event.at("at")),
                           member_text(event, "to"), member_text(event, "actor"),
                           evidence_text(event.at("evidence"))));
  return sheet.take();
}

}  // namespace

constexpr Command kShowCommand = {.name = "show",
                                  .summary = "print all that is known of a workload",
                                  .group = Group::kOperate,
                                  .positionals = kPositionals,
                                  .notes =
                                      "JSON is the whole document with its version, `__version`, "
                                      "which --if-version of other commands takes.",
                                  .examples = kExamples,
                                  .run = run,
                                  .describe = describe,
                                  .answers_ids = true};

}  // namespace workctl::cli
