#include "workctl/workload/migration.h"

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/command_table.h"
#include "cli/context.h"
#include "cli/options.h"
#include "cli/wording.h"

namespace workctl::cli {

namespace {

constexpr Option kFile = {.name = "FILE",
                          .kind = ValueKind::kFile,
                          .value_name = "FILE",
                          .help = "the state file of the reference implementation, or -",
                          .required = true};
constexpr std::uint64_t kLegacyBytesMax = 4ULL << 30;
/// Staged bytes that make a commit.
constexpr std::uint64_t kLineBytes = 32U << 20;

constexpr const Option* kPositionals[] = {&kFile};
constexpr Example kExamples[] = {{"workctl migrate /var/lib/old/workloads.json",
                                  "take over all its work; running it again changes nothing"}};

Result<Answer> run(const Arguments& arguments, Context& context) {
  const std::string& path = arguments.text(kFile);
  WORKCTL_TRY(std::string text, context.input().read(path, kLegacyBytesMax, kFile.name));
  Progress progress = context.progress();
  WORKCTL_TRY(const std::unique_ptr<Session> session, context.begin());
  Result<MigrationReport> report =
      migrate(*session, text, context.now(), kLineBytes,
              [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
                progress.update(stage, done, total);
              });
  if (!report) {
    Error error = std::move(report).error();
    error.message = fmt::format("{}: {}", path == "-" ? "standard input" : path, error.message);
    return std::unexpected(std::move(error));
  }
  WORKCTL_CHECK(session->commit());
  std::vector<Json> items;
  for (const std::string& id : report->imported) items.push_back({{"workload_id", id}});
  return Answer{.value = {{"imported", report->imported.size()}, {"skipped", report->skipped}},
                .items = std::move(items)};
}

std::string describe(const Answer& answer, const Style&) {
  return fmt::format("{} imported, {} skipped (stored already)\n",
                     counted(answer.value.at("imported").get<std::uint64_t>(), "workload"),
                     answer.value.at("skipped").get<std::uint64_t>());
}

}  // namespace

constexpr Command kMigrateCommand = {
    .name = "migrate",
    .summary = "take over the work of the reference implementation",
    .group = Group::kOperate,
    .positionals = kPositionals,
    .notes =
        "The whole file is checked before anything is stored: a file with a broken or "
        "contradictory entry, or one that is stored already and differs, leaves nothing behind. "
        "The file itself is never changed. A large file takes several commits; a run that was "
        "interrupted is completed by the same command.",
    .examples = kExamples,
    .run = run,
    .describe = describe,
    .answers_ids = true};

}  // namespace workctl::cli
