#include "workctl/journal/verify.h"

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/command_table.h"
#include "cli/commands/verify_report.h"
#include "cli/context.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "workctl/base/text.h"
#include "workctl/store/index_check.h"
#include "workctl/store/memory_projection.h"
#include "workctl/store/replay.h"

namespace workctl::cli {

namespace {

constexpr Option kExpectHead = {.name = "--expect-head",
                                .kind = ValueKind::kName,
                                .value_name = "DIGEST",
                                .help =
                                    "the head that an earlier verify printed: the log must still "
                                    "end there, so that a cut end shows, too"};
constexpr Option kReplay = {
    .name = "--replay",
    .help =
        "replay the documents, too: every version follows the one before, every patch applies, and "
        "the index holds what the log says"};
constexpr const Option* kOptions[] = {&kExpectHead, &kReplay};
constexpr Example kExamples[] = {
    {"workctl verify", "read the whole log and check every line of it"},
    {"workctl verify -o jsonl | jq -r .head", "a digest to write down elsewhere"}};

Result<VerifyReport> read_log(const Arguments& arguments, Context& context, IndexCheck* check) {
  WORKCTL_TRY(const auto directory, open_damaged_store(context));
  if (check != nullptr) return examine_log(*directory, context, check->sink());
  MemoryProjection documents;
  Replay replay(documents);
  NothingSink nothing;
  CommitSink& sink = arguments.has(kReplay) ? static_cast<CommitSink&>(replay) : nothing;
  return examine_log(*directory, context, sink);
}

Result<Json> compare_index(IndexCheck& check, VerifyReport& report,
                           std::optional<ErrorCode>& verdict) {
  WORKCTL_TRY(const IndexCheck::Report index, check.compare({.offset = report.bytes,
                                                             .line_offset = 0,
                                                             .line = report.lines,
                                                             .revision = report.revisions,
                                                             .at = 0,
                                                             .digest = report.head}));
  if (index.problem) {
    verdict = errc::kStoreDamaged;
    report.problem =
        fmt::format("{}; the log is sound: delete index/, and another one is made", *index.problem);
  }
  return Json{{"entries", index.entries}, {"sound", !index.problem}};
}

Result<Answer> run(const Arguments& arguments, Context& context) {
  std::unique_ptr<IndexCheck> check;
  if (arguments.has(kReplay) && context.uses_index())
    check = IndexCheck::begin(context.store_path(), context.journal_options());
  WORKCTL_TRY(VerifyReport report, read_log(arguments, context, check.get()));
  std::optional<ErrorCode> verdict = verdict_on(report);
  Json index;
  if (!verdict && check != nullptr) {
    WORKCTL_TRY(index, compare_index(*check, report, verdict));
  }
  if (!verdict && arguments.has(kExpectHead) &&
      ascii_lower(arguments.text(kExpectHead)) != report.head) {
    verdict = errc::kStoreDamaged;
    report.problem = fmt::format("the log ends at {}, not at the expected {}", report.head,
                                 arguments.text(kExpectHead));
  }
  Json value = report_json(report);
  value["sound"] = !verdict;
  value["index"] = std::move(index);
  return Answer{.value = std::move(value),
                .exit_status = verdict ? exit_status(*verdict) : kExitDone};
}

std::string describe(const Answer& answer, const Style&) { return describe_report(answer.value); }

}  // namespace

constexpr Command kVerifyCommand = {
    .name = "verify",
    .summary = "check every line of the log",
    .group = Group::kStore,
    .needs = Needs::kStoreDirectory,
    .options = kOptions,
    .notes =
        "Changes nothing and takes no lock. Exit status 10 says that the log is damaged or not the "
        "one expected; the place is named. An unfinished last line, left by a crash and never "
        "acknowledged, is no damage: the next writer sets it aside.",
    .examples = kExamples,
    .run = run,
    .describe = describe};

}  // namespace workctl::cli
