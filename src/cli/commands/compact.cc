#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/context.h"
#include "cli/decide.h"
#include "cli/options.h"
#include "cli/wording.h"

namespace workctl::cli {

namespace {

constexpr Option kDiscard = {.name = "--discard",
                             .help = "do not keep the old log; its history is then gone"};
constexpr Option kDryRun = {.name = "--dry-run",
                            .help = "say what would come of it, and change nothing"};
constexpr const Option* kOptions[] = {&kDiscard, &kDryRun, &kActor};
constexpr Example kExamples[] = {
    {"workctl compact --dry-run", "how long the log would be without its history"},
    {"workctl compact", "begin a new log with the documents as they stand, and keep the old one"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  Progress progress = context.progress();
  const bool dry_run = arguments.has(kDryRun);
  const CompactionRequest request = {.actor = actor(arguments),
                                     .at = context.now(),
                                     .keep_old = !arguments.has(kDiscard),
                                     .dry_run = dry_run,
                                     .progress = [&](std::uint64_t done, std::uint64_t total) {
                                       progress.update("write documents", done, total);
                                     }};
  WORKCTL_TRY(const Compaction done,
              context.local_store().compact(request, context.lock_timeout()));
  return Answer{.value = {{"dry_run", dry_run},
                          {"generation", done.generation},
                          {"revision", done.revision},
                          {"documents", done.documents},
                          {"removed", done.removed},
                          {"bytes_before", done.bytes_before},
                          {"bytes_after", done.bytes_after},
                          {"kept_as", done.kept_as ? Json(*done.kept_as) : Json()}}};
}

std::string describe(const Answer& answer, const Style&) {
  const Json& value = answer.value;
  const auto number = [&](const char* member) { return value.at(member).get<std::uint64_t>(); };
  const std::string documents = counted(number("documents"), "document");
  if (value.at("dry_run").get<bool>())
    return fmt::format("{} would make a log of about {}, which now has {}\n", documents,
                       counted(number("bytes_after"), "byte"), number("bytes_before"));
  std::string text =
      fmt::format("generation {}: {} in a log of {}, which had {}\n", number("generation"),
                  documents, counted(number("bytes_after"), "byte"), number("bytes_before"));
  if (!value.at("kept_as").is_null())
    text += fmt::format("the old log is in {}\n", member_text(value, "kept_as"));
  return text;
}

}  // namespace

constexpr Command kCompactCommand = {
    .name = "compact",
    .summary = "begin the log anew with the documents as they stand",
    .group = Group::kStore,
    .options = kOptions,
    .notes =
        "Writes a new generation of the log beside the old one and puts it into its place; a crash "
        "at any moment leaves one of the two, whole. Versions, revisions and fencing tokens go on, "
        "and whoever reads the old log meanwhile reads it to its end. Others wait for the lock as "
        "long as it takes.\n\n"
        "The old log is copied to archive/, so that there must be room for both; the new one names "
        "its digest. --discard leaves the copy out.",
    .examples = kExamples,
    .run = run,
    .describe = describe};

}  // namespace workctl::cli
