#include "workctl/journal/repair.h"

#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/commands/verify_report.h"
#include "cli/context.h"
#include "cli/decide.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/wording.h"
#include "workctl/base/file_system.h"
#include "workctl/store/memory_projection.h"
#include "workctl/store/replay.h"

namespace workctl::cli {

namespace {

constexpr Option kDropTail = {
    .name = "--drop-tail",
    .help =
        "give up everything after the last line that verifies; the log as it is now goes to "
        "archive/"};
constexpr Option kSalvage = {
    .name = "--salvage",
    .kind = ValueKind::kDirectory,
    .value_name = "DIR",
    .help =
        "copy every line that verifies to DIR/lines.jsonl, and say in DIR/missing.jsonl what "
        "lies between them"};
constexpr const Option* kOptions[] = {&kDropTail, &kSalvage, &kActor};
constexpr Example kExamples[] = {
    {"workctl repair", "say what is wrong with the log and what could be done; changes nothing"},
    {"workctl repair --salvage rescued", "take out what is whole, before anything else"},
    {"workctl repair --drop-tail", "go on without the end that does not verify"}};

/// The log is replayed as writers would: what they would refuse does not count as whole.
struct Documents {
  MemoryProjection projection{};
  Replay replay{projection};
};

Result<Json> salvage_into(Directory& directory, const std::string& path, Context& context) {
  if (const auto made = posix_file_system().create_directories(path); !made)
    return std::unexpected(describe(made.error(), path));
  const auto target = posix_file_system().open_directory(path);
  if (!target) return std::unexpected(describe(target.error(), path));
  Progress progress = context.progress();
  WORKCTL_TRY(const Salvage result, salvage(directory, **target, context.journal_options(),
                                            [&](std::uint64_t done, std::uint64_t total) {
                                              progress.update("salvage", done, total);
                                            }));
  return Json{{"directory", path},
              {"lines", result.lines},
              {"bytes", result.bytes},
              {"gaps", result.gaps},
              {"missing_bytes", result.missing_bytes}};
}

Result<Json> give_up_tail(Directory& directory, const Arguments& arguments, Context& context) {
  Documents documents;
  const std::string who = actor(arguments);
  WORKCTL_TRY(const auto dropped,
              drop_tail(directory, {.actor = who, .at = context.now()}, documents.replay,
                        context.journal_options(), context.lock_timeout()));
  if (!dropped) return nullptr;
  return Json{{"bytes", dropped->bytes},
              {"after_revision", dropped->found.revisions},
              {"kept_as", dropped->kept_as},
              {"repair_revision", dropped->repair_revision}};
}

Result<Answer> run(const Arguments& arguments, Context& context) {
  WORKCTL_TRY(const auto directory, open_damaged_store(context));
  Documents documents;
  WORKCTL_TRY(const VerifyReport report, examine_log(*directory, context, documents.replay));
  const std::optional<ErrorCode> verdict = verdict_on(report);
  Json value = {{"found", report_json(report)}, {"salvaged", nullptr}, {"dropped", nullptr}};
  if (arguments.has(kSalvage)) {
    WORKCTL_TRY(value["salvaged"], salvage_into(*directory, arguments.text(kSalvage), context));
  }
  if (arguments.has(kDropTail)) {
    WORKCTL_TRY(value["dropped"], give_up_tail(*directory, arguments, context));
  }
  const bool left_damaged = verdict && value.at("dropped").is_null();
  return Answer{.value = std::move(value),
                .exit_status = left_damaged ? exit_status(*verdict) : kExitDone};
}

std::string advice(const Json& found) {
  if (member_text(found, "end") == "too_new")
    return "Nothing can be done with this workctl: it must not judge a newer format.\n";
  if (found.at("sound").get<bool>()) return "There is nothing to repair.\n";
  std::string text =
      "Nothing was changed. Before anything else, look for a copy of the log that is whole.\n"
      "--salvage DIR copies every line that verifies to DIR.\n";
  const std::uint64_t bytes = found.at("bytes").get<std::uint64_t>();
  const std::uint64_t file_bytes = found.at("file_bytes").get<std::uint64_t>();
  if (found.at("lines") == 0)
    text += "--drop-tail would leave nothing: not even the first line verifies.\n";
  else if (bytes < file_bytes)
    text += fmt::format(
        "--drop-tail gives up the last {}, after revision {}, which may have been acknowledged.\n",
        counted(file_bytes - bytes, "byte"), member_text(found, "revisions"));
  else
    text += fmt::format(
        "--drop-tail takes the log as it is, up to revision {}, though more was acknowledged or it "
        "was replaced.\n",
        member_text(found, "revisions"));
  return text;
}

std::string describe(const Answer& answer, const Style&) {
  const Json& found = answer.value.at("found");
  const Json& salvaged = answer.value.at("salvaged");
  const Json& dropped = answer.value.at("dropped");
  std::string text = describe_report(found);
  if (!salvaged.is_null())
    text += fmt::format("{} in {} are now in {}; {} of {} listed as missing\n",
                        counted(salvaged.at("lines").get<std::uint64_t>(), "line"),
                        counted(salvaged.at("bytes").get<std::uint64_t>(), "byte"),
                        member_text(salvaged, "directory"),
                        counted(salvaged.at("gaps").get<std::uint64_t>(), "gap"),
                        counted(salvaged.at("missing_bytes").get<std::uint64_t>(), "byte"));
  if (!dropped.is_null())
    text += fmt::format(
        "gave up {} after revision {}; the log as it was is {}, and revision {} records this\n",
        counted(dropped.at("bytes").get<std::uint64_t>(), "byte"),
        member_text(dropped, "after_revision"), member_text(dropped, "kept_as"),
        member_text(dropped, "repair_revision"));
  if (salvaged.is_null() && dropped.is_null()) text += advice(found);
  return text;
}

}  // namespace

constexpr Command kRepairCommand = {
    .name = "repair",
    .summary = "explain a damaged log, save what is whole, drop its end",
    .group = Group::kStore,
    .needs = Needs::kStoreDirectory,
    .options = kOptions,
    .notes =
        "Without --salvage or --drop-tail it only explains. No byte of the damaged log is ever "
        "changed: --salvage copies from it, and --drop-tail puts a new file in its place and keeps "
        "it under archive/.\n\n"
        "What --drop-tail gives up may have been acknowledged: work may be handed out a second "
        "time, and versions and fencing tokens that were used may be used again. A commit without "
        "writes records who gave up what. Exit status 10 says that the log is still damaged.",
    .examples = kExamples,
    .run = run,
    .describe = describe};

}  // namespace workctl::cli
