#include "cli/context.h"

#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/options.h"
#include "cli/wording.h"

namespace workctl::cli {

namespace {

constexpr Option kSecretReference = {.name = "--secret-reference",
                                     .kind = ValueKind::kName,
                                     .value_name = "REFERENCE",
                                     .help = "a secret that the work needs, by its secret:// name",
                                     .repeatable = true};
constexpr const Option* kPositionals[] = {&kWorkload};
constexpr const Option* kOptions[] = {&kSecretReference, &kClaim, &kWorker, &kToken};
constexpr Example kExamples[] = {
    {"workctl context -o json", "what the holder of the claim may do, as JSON"},
    {"workctl context --secret-reference secret://mail/account",
     "the same, naming a secret that is to be fetched elsewhere"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  WORKCTL_TRY(View* const view, context.read());
  // Nothing is changed, so nothing is staged.
  Authority authority(*view, Stage());
  WORKCTL_TRY(Json value, authority.execution_context(arguments.text(kWorkload),
                                                      fence(arguments, context.now()),
                                                      arguments.texts(kSecretReference)));
  return Answer{.value = std::move(value)};
}

std::string describe(const Answer& answer, const Style&) {
  const Json& value = answer.value;
  const auto list = [&](const char* member) {
    std::string text;
    for (const Json& one : value.at(member))
      text += (text.empty() ? "" : ", ") + one.get<std::string>();
    return text.empty() ? std::string("-") : text;
  };
  return fmt::format(
      "workload           {}\nattempt            {}\nworker             {}, token {}, until "
      "{}\ncapabilities       {}\nconnection scopes  {}\nsecrets            {}\n",
      member_text(value, "workload_id"), member_text(value, "attempt_id"),
      member_text(value, "worker_id"), member_text(value, "fencing_token"),
      instant_text(value.at("expires_at")), list("capabilities"), list("connection_scopes"),
      list("secret_references"));
}

}  // namespace

constexpr Command kContextCommand = {
    .name = "context",
    .summary = "say what the holder of a claim may do",
    .group = Group::kWork,
    .positionals = kPositionals,
    .options = kOptions,
    .notes = "References to secrets must begin with secret://; workctl never sees a secret itself.",
    .examples = kExamples,
    .run = run,
    .describe = describe,
    .answers_ids = true};

}  // namespace workctl::cli
