// Finds the lines of a damaged log that verify although one before them does not.

#include <fmt/format.h>

#include <cerrno>
#include <vector>

#include "journal/line_codec.h"
#include "journal/log_format.h"
#include "journal/log_reader.h"
#include "journal/store_files.h"
#include "workctl/journal/repair.h"

namespace workctl {

namespace {

/// A file of the salvage, written from its beginning on.
class SalvageFile {
 public:
  static Result<SalvageFile> make(Directory& target, const std::string& name) {
    const std::string path = path_of(target, name);
    auto file = target.open(name, OpenMode::kCreateNew);
    if (file) return SalvageFile(std::move(*file), path);
    if (file.error().number == EEXIST)
      return failure(errc::kInvalidInput, fmt::format("{} is there already", path),
                     "salvage into a new directory");
    return std::unexpected(describe(file.error(), path));
  }

  Result<void> append(std::string_view bytes) {
    buffer_ += bytes;
    return buffer_.size() < kBufferBytes ? Result<void>() : flush();
  }

  Result<void> finish() {
    WORKCTL_CHECK(flush());
    if (const auto done = file_->sync(); !done)
      return std::unexpected(describe(done.error(), path_));
    return {};
  }

 private:
  static constexpr std::size_t kBufferBytes = 1U << 20;

  SalvageFile(std::unique_ptr<File> file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}

  Result<void> flush() {
    if (const auto done = write_fully(*file_, size_, buffer_); !done)
      return std::unexpected(describe(done.error(), path_));
    size_ += buffer_.size();
    buffer_.clear();
    return {};
  }

  std::unique_ptr<File> file_;
  std::string path_;
  std::string buffer_;
  std::uint64_t size_ = 0;
};

/// Bytes of the log between lines that verify.
struct Gap {
  std::uint64_t line = 0;  ///< of its first line, from 1
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t after_revision = 0;
};

class Salvager {
 public:
  using Progress = std::function<void(std::uint64_t, std::uint64_t)>;

  Salvager(File& log, std::string path, SalvageFile& lines, SalvageFile& gaps,
           const Progress& progress)
      : log_(log), path_(std::move(path)), lines_(lines), gaps_(gaps), progress_(progress) {}

  /// `durable_bytes` of the log were known to be on stable storage.
  Result<Salvage> run(std::uint64_t file_bytes, std::uint64_t durable_bytes) {
    while (at_.offset < file_bytes) {
      bool found = false;
      for (const std::string& digest : before_) {
        WORKCTL_TRY(found, take_lines_after(digest, file_bytes));
        if (found) break;
      }
      if (!found) WORKCTL_CHECK(pass_over_line(file_bytes));
    }
    if (file_bytes < durable_bytes && gap_.bytes == 0) begin_gap();
    if (gap_.line > 0) WORKCTL_CHECK(close_gap(Json()));
    return result_;
  }

 private:
  /// Takes the lines from here on as long as they verify after one that has `digest`: whether there
  /// was any.
  Result<bool> take_lines_after(const std::string& digest, std::uint64_t file_bytes) {
    LogPosition start = at_;
    start.digest = digest;
    LogReader reader(log_, start);
    bool any = false;
    for (;;) {
      const auto body = reader.next();
      if (!body) return std::unexpected(describe(body.error(), path_));
      if (!*body) return any;
      WORKCTL_TRY(const bool taken, take_line(**body, reader.position()));
      if (!taken) return any;
      any = true;
      report_progress(file_bytes);
    }
  }

  /// Copies a line that verifies; false for one that does not belong there all the same: of an
  /// earlier revision, or of another kind.
  Result<bool> take_line(std::string_view body, const LogPosition& end) {
    std::uint64_t revision = at_.revision;
    if (at_.line > 0) {
      const bool in_snapshot = at_.revision == header_.revision && !first_revision(body);
      const std::uint64_t first = in_snapshot ? at_.revision + 1 : first_revision(body);
      if (first <= at_.revision) return false;
      LogPosition position = at_;
      position.revision = first - 1;
      NothingSink sink;
      if (!deliver_line(body, header_, position, sink)) return false;
      if (gap_.line > 0) WORKCTL_CHECK(close_gap(first));
      revision = position.revision;
    } else {
      const auto header = decode_header(body);
      if (!header) return false;
      header_ = *header;
      revision = header_.revision;
    }
    WORKCTL_CHECK(lines_.append(body));
    WORKCTL_CHECK(lines_.append(log_format::kDigestMember));
    WORKCTL_CHECK(lines_.append(end.digest));
    WORKCTL_CHECK(lines_.append(log_format::kLineEnd));
    ++result_.lines;
    result_.bytes += end.offset - at_.offset;
    at_ = end;
    at_.revision = revision;
    before_ = {end.digest};
    return true;
  }

  /// Goes past one line that does not verify. The next may follow it as it claims to be, or as its
  /// bytes are.
  Result<void> pass_over_line(std::uint64_t file_bytes) {
    if (gap_.line == 0) begin_gap();
    std::string line;
    std::string piece(64U << 10, '\0');
    std::uint64_t end = at_.offset;
    for (bool ended = false; !ended && end < file_bytes;) {
      const auto got = read_fully(log_, end, piece);
      if (!got) return std::unexpected(describe(got.error(), path_));
      if (*got == 0) break;
      const std::string_view read(piece.data(), *got);
      const std::size_t newline = read.find('\n');
      ended = newline != std::string_view::npos;
      const std::string_view part = read.substr(0, ended ? newline + 1 : read.size());
      if (line.size() <= kLineBytesMax) line += part;
      end += part.size();
    }
    std::vector<std::string> after;
    if (LineParts parts; split_line(line, parts)) after.emplace_back(parts.digest);
    if (line.size() > log_format::kSuffixLength && line.size() <= kLineBytesMax) {
      const auto body = std::string_view(line).substr(0, line.size() - log_format::kSuffixLength);
      for (std::size_t i = 0; i < before_.size() && after.size() < kCandidatesMax; ++i)
        after.push_back(line_digest(body, before_[i]));
    }
    before_ = std::move(after);
    gap_.bytes += end - at_.offset;
    at_.offset = std::max(end, at_.offset + 1);
    at_.line += 1;
    report_progress(file_bytes);
    return {};
  }

  void begin_gap() {
    gap_ = {.line = at_.line + 1, .offset = at_.offset, .after_revision = at_.revision};
  }

  Result<void> close_gap(const Json& before_revision) {
    const Json object = {{"line", gap_.line},
                         {"offset", gap_.offset},
                         {"bytes", gap_.bytes},
                         {"after_revision", gap_.after_revision},
                         {"before_revision", before_revision}};
    ++result_.gaps;
    result_.missing_bytes += gap_.bytes;
    gap_ = {};
    return gaps_.append(canonical_text(object) + "\n");
  }

  void report_progress(std::uint64_t file_bytes) {
    if (!progress_ || at_.offset - told_ < kProgressBytes) return;
    told_ = at_.offset;
    progress_(told_, file_bytes);
  }

  static constexpr std::size_t kCandidatesMax = 3;

  File& log_;
  std::string path_;
  SalvageFile& lines_;
  SalvageFile& gaps_;
  const Progress& progress_;
  LogHeader header_{};  ///< where it verifies
  LogPosition at_{};
  /// Digests that the line before may have had.
  std::vector<std::string> before_{log_format::no_digest()};
  Gap gap_{};
  Salvage result_{};
  std::uint64_t told_ = 0;
};

}  // namespace

Result<Salvage> salvage(Directory& directory, Directory& target, const Journal::Options& options,
                        const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  FileSystem& file_system = file_system_of(options);
  NothingSink sink;
  WORKCTL_TRY(const VerifyReport found, verify_log(directory, options, sink, {}));
  if (found.end == VerifyReport::End::kTooNew)
    return failure(errc::kStoreTooNew, found.problem, "use a newer workctl; nothing was changed");
  WORKCTL_TRY(const auto log, open_store_file(directory, file_system, kLogName, OpenMode::kRead));
  if (log == nullptr)
    return failure(errc::kStoreDamaged, fmt::format("{} is gone", path_of(directory, kLogName)));
  WORKCTL_TRY(SalvageFile lines, SalvageFile::make(target, kSalvagedLinesName));
  WORKCTL_TRY(SalvageFile gaps, SalvageFile::make(target, kSalvageGapsName));
  Salvager salvager(*log, path_of(directory, kLogName), lines, gaps, progress);
  WORKCTL_TRY(const Salvage result, salvager.run(found.file_bytes, found.durable_bytes));
  WORKCTL_CHECK(lines.finish());
  WORKCTL_CHECK(gaps.finish());
  if (const auto done = target.sync(); !done)
    return std::unexpected(describe(done.error(), target.path()));
  return result;
}

}  // namespace workctl
