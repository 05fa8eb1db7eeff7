#include "workctl/journal/verify.h"

#include <fmt/format.h>

#include <cerrno>

#include "cli/command_table.h"
#include "cli/context.h"
#include "cli/decide.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/wording.h"
#include "workctl/base/file_system.h"
#include "workctl/base/text.h"

namespace workctl::cli {

namespace {

constexpr Option kExpectHead = {.name = "--expect-head",
                                .kind = ValueKind::kName,
                                .value_name = "DIGEST",
                                .help =
                                    "the head that an earlier verify printed: the log must still "
                                    "end there, so that a cut end shows, too"};
constexpr const Option* kOptions[] = {&kExpectHead};
constexpr Example kExamples[] = {
    {"workctl verify", "read the whole log and check every line of it"},
    {"workctl verify -o jsonl | jq -r .head", "a digest to write down elsewhere"}};

/// Looks at no document: the chain alone is checked.
class NothingSink final : public CommitSink {
 public:
  void reset() override {}
  Result<void> apply(Commit&&) override { return {}; }
};

std::string_view end_name(VerifyReport::End end) {
  switch (end) {
    case VerifyReport::End::kClean:
      return "clean";
    case VerifyReport::End::kUnfinished:
      return "unfinished";
    case VerifyReport::End::kDamaged:
      return "damaged";
    case VerifyReport::End::kLost:
      return "lost";
    case VerifyReport::End::kTooNew:
      return "too_new";
  }
  return "damaged";
}

/// What is wrong with a log that ends so; nothing for a sound one.
std::optional<ErrorCode> verdict_on(VerifyReport::End end) {
  if (end == VerifyReport::End::kTooNew) return errc::kStoreTooNew;
  const bool sound = end == VerifyReport::End::kClean || end == VerifyReport::End::kUnfinished;
  if (sound) return std::nullopt;
  return errc::kStoreDamaged;
}

Result<VerifyReport> read_log(Context& context) {
  auto directory = posix_file_system().open_directory(context.store_path());
  if (!directory) {
    if (directory.error().number == ENOENT)
      return failure(errc::kStoreNotFound,
                     fmt::format("there is no store in {}", context.store_path()),
                     "workctl init makes one");
    return std::unexpected(describe(directory.error(), context.store_path()));
  }
  NothingSink sink;
  Progress progress = context.progress();
  return verify_log(
      **directory, context.journal_options(), sink,
      [&](std::uint64_t done, std::uint64_t total) { progress.update("verify", done, total); });
}

Result<Answer> run(const Arguments& arguments, Context& context) {
  WORKCTL_TRY(VerifyReport report, read_log(context));
  std::optional<ErrorCode> verdict = verdict_on(report.end);
  if (!verdict && arguments.has(kExpectHead) &&
      ascii_lower(arguments.text(kExpectHead)) != report.head) {
    verdict = errc::kStoreDamaged;
    report.problem = fmt::format("the log ends at {}, not at the expected {}", report.head,
                                 arguments.text(kExpectHead));
  }
  Json value = {{"store_id", report.store_id},
                {"generation", report.generation},
                {"lines", report.lines},
                {"bytes", report.bytes},
                {"file_bytes", report.file_bytes},
                {"durable_bytes", report.durable_bytes},
                {"revisions", report.revisions},
                {"head", report.head},
                {"end", end_name(report.end)},
                {"sound", !verdict},
                {"problem", report.problem.empty() ? Json() : Json(report.problem)}};
  if (report.end != VerifyReport::End::kClean)
    value.update({{"bad_line", report.bad_line}, {"bad_offset", report.bad_offset}});
  return Answer{.value = std::move(value),
                .exit_status = verdict ? exit_status(*verdict) : kExitDone};
}

std::string describe(const Answer& answer, const Style&) {
  const Json& value = answer.value;
  std::string text = fmt::format("{}: {} and {} in {} verify, generation {}\nhead {}\n",
                                 member_text(value, "store_id"),
                                 counted(value.at("lines").get<std::uint64_t>(), "line"),
                                 counted(value.at("revisions").get<std::uint64_t>(), "revision"),
                                 counted(value.at("bytes").get<std::uint64_t>(), "byte"),
                                 member_text(value, "generation"), member_text(value, "head"));
  if (!value.at("problem").is_null())
    text += fmt::format("{}: {}\n", value.at("sound").get<bool>() ? "sound, but" : "NOT sound",
                        member_text(value, "problem"));
  return text;
}

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
