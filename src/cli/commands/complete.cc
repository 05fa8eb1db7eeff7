#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/decide.h"
#include "cli/options.h"
#include "cli/wording.h"

namespace workctl::cli {

namespace {

constexpr Option kOutput = {.name = "--output",
                            .kind = ValueKind::kJson,
                            .value_name = "JSON",
                            .help = "what came of the work: JSON, @FILE or @-",
                            .fallback = "null"};
constexpr Option kResultId = {.name = "--result-id",
                              .kind = ValueKind::kName,
                              .value_name = "RESULT",
                              .help = "id of the result, unique in the store",
                              .fallback_note = "derived from the claim"};
constexpr Option kArtifact = {.name = "--artifact",
                              .kind = ValueKind::kName,
                              .value_name = "NAME",
                              .help = "something that the work left behind, such as a path",
                              .repeatable = true};
constexpr Option kSchemaVersion = {.name = "--schema-version",
                                   .kind = ValueKind::kCount,
                                   .value_name = "N",
                                   .help = "version of the form that the output has",
                                   .fallback = "1",
                                   .maximum = kCount32Max};
constexpr const Option* kPositionals[] = {&kWorkload};
constexpr const Option* kOptions[] = {&kOutput, &kArtifact, &kResultId, &kSchemaVersion,
                                      &kClaim,  &kWorker,   &kToken,    &kIfVersion};
constexpr Example kExamples[] = {
    {"workctl complete --output @out.json", "finish the work that the variables name"},
    {R"(workctl complete --output '{"sent": 1}' --artifact /var/spool/mail/7)",
     "with the output in place, and what else there is to keep"}};

/// The claim's own digits: repeating `complete` under one claim names the same result.
std::string derived_result_id(std::string_view claim_id) {
  constexpr std::string_view kPrefix = "claim_";
  if (claim_id.starts_with(kPrefix)) claim_id.remove_prefix(kPrefix.size());
  return fmt::format("result_{}", claim_id);
}

Result<Answer> run(const Arguments& arguments, Context& context) {
  const std::string& id = arguments.text(kWorkload);
  const Completion completion = {.result_id = arguments.has(kResultId)
                                                  ? arguments.text(kResultId)
                                                  : derived_result_id(arguments.text(kClaim)),
                                 .output = arguments.json(kOutput),
                                 .artifacts = arguments.texts(kArtifact),
                                 .schema_version = arguments.count(kSchemaVersion)};
  WORKCTL_TRY(Json value, decide(context, arguments, [&](Authority& authority, Instant now) {
                return authority.complete(id, fence(arguments, now), completion);
              }));
  if (value.at("output_hash") != hash_value(completion.output))
    context.notice(fmt::format("{} was recorded before, with another output: that one stands",
                               member_text(value, "result_id")));
  return Answer{.value = std::move(value)};
}

std::string describe(const Answer& answer, const Style& style) {
  return fmt::format("{} is {}, {}\n", member_text(answer.value, "workload_id"),
                     state_text("SUCCEEDED", style), member_text(answer.value, "result_id"));
}

}  // namespace

constexpr Command kCompleteCommand = {
    .name = "complete",
    .summary = "finish work with its result",
    .group = Group::kWork,
    .positionals = kPositionals,
    .options = kOptions,
    .notes =
        "A result that the workload has already is answered again, whoever asks: a worker that did "
        "not learn whether `complete` went through repeats it. A note says when the output given "
        "then was another one.\n\n"
        "The output must hold no secret.",
    .examples = kExamples,
    .run = run,
    .describe = describe,
    .answers_ids = true};

}  // namespace workctl::cli
