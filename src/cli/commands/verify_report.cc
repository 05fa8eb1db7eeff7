#include "cli/commands/verify_report.h"

#include <fmt/format.h>

#include <cerrno>

#include "cli/wording.h"
#include "workctl/base/file_system.h"

namespace workctl::cli {

namespace {

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

}  // namespace

Result<std::unique_ptr<Directory>> open_damaged_store(const Context& context) {
  auto directory = posix_file_system().open_directory(context.store_path());
  if (directory) return std::move(*directory);
  if (directory.error().number == ENOENT)
    return failure(errc::kStoreNotFound,
                   fmt::format("there is no store in {}", context.store_path()),
                   "workctl init makes one");
  return std::unexpected(describe(directory.error(), context.store_path()));
}

Result<VerifyReport> examine_log(Directory& directory, Context& context, CommitSink& sink) {
  Progress progress = context.progress();
  return verify_log(
      directory, context.journal_options(), sink,
      [&](std::uint64_t done, std::uint64_t total) { progress.update("verify", done, total); });
}

std::optional<ErrorCode> verdict_on(const VerifyReport& report) {
  if (report.end == VerifyReport::End::kTooNew) return errc::kStoreTooNew;
  const bool sound =
      report.end == VerifyReport::End::kClean || report.end == VerifyReport::End::kUnfinished;
  if (sound) return std::nullopt;
  return errc::kStoreDamaged;
}

Json report_json(const VerifyReport& report) {
  Json value = {{"store_id", report.header.store_id},
                {"generation", report.header.generation},
                {"lines", report.lines},
                {"bytes", report.bytes},
                {"file_bytes", report.file_bytes},
                {"durable_bytes", report.durable_bytes},
                {"revisions", report.revisions},
                {"head", report.head},
                {"end", end_name(report.end)},
                {"sound", !verdict_on(report)},
                {"problem", report.problem.empty() ? Json() : Json(report.problem)}};
  if (report.end != VerifyReport::End::kClean)
    value.update({{"bad_line", report.bad_line}, {"bad_offset", report.bad_offset}});
  return value;
}

std::string describe_report(const Json& report) {
  std::string text = fmt::format("{}: {} and {} in {} verify, generation {}\nhead {}\n",
                                 member_text(report, "store_id"),
                                 counted(report.at("lines").get<std::uint64_t>(), "line"),
                                 counted(report.at("revisions").get<std::uint64_t>(), "revision"),
                                 counted(report.at("bytes").get<std::uint64_t>(), "byte"),
                                 member_text(report, "generation"), member_text(report, "head"));
  if (!report.at("problem").is_null())
    text += fmt::format("{}: {}\n", report.at("sound").get<bool>() ? "sound, but" : "NOT sound",
                        member_text(report, "problem"));
  return text;
}

}  // namespace workctl::cli
