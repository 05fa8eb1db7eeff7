#include "workctl/store/index_check.h"

#include <fmt/format.h>

#include "journal/store_files.h"
#include "store/index/index_replay.h"
#include "store/index/keys.h"
#include "workctl/base/text.h"

namespace workctl {

namespace {

/// Takes commits up to a revision.
class UpTo final : public CommitSink {
 public:
  UpTo(CommitSink& sink, std::uint64_t revision) : sink_(sink), revision_(revision) {}
  void reset() override { sink_.reset(); }
  Result<void> apply(Commit&& commit) override {
    return commit.revision <= revision_ ? sink_.apply(std::move(commit)) : Result<void>();
  }

 private:
  CommitSink& sink_;
  std::uint64_t revision_;
};

std::string entry_text(std::string_view key) {
  return fmt::format("{} {}", key.substr(0, 1), printable(key.substr(1)));
}

class Check final : public IndexCheck {
 public:
  Check(std::unique_ptr<Journal> journal, std::unique_ptr<Index> index,
        std::unique_ptr<Index> fresh)
      : journal_(std::move(journal)), index_(std::move(index)), fresh_(std::move(fresh)) {}

  CommitSink& sink() override { return replay_; }

  Result<Report> compare(const LogPosition& end) override {
    WORKCTL_CHECK(index_->begin_reading());
    WORKCTL_TRY(const bool resumed, journal_->resume(index_->projection().saved_position()));
    if (!resumed) return Report{.problem = "the index is of another log"};
    IndexTail tail(*index_);
    WORKCTL_CHECK(journal_->catch_up(tail));
    const std::uint64_t revision = journal_->position().revision;
    WORKCTL_TRY(const bool resumed_at_end, journal_->resume(end));
    if (!resumed_at_end) return failure(errc::kIndexUnusable, "the log was replaced meanwhile");
    UpTo rest(replay_, revision);
    WORKCTL_CHECK(journal_->catch_up(rest));
    Result<Report> report = compare_entries();
    if (!report && report.error().code == errc::kIndexUnusable)
      return Report{.problem = report.error().message};
    return report;
  }

 private:
  Result<Report> compare_entries() {
    // Work that became eligible stands where the last question put it.
    WORKCTL_CHECK(index_->projection().demote_all());
    WORKCTL_CHECK(fresh_->projection().demote_all());
    Report report;
    WORKCTL_TRY(const StoredSize size, index_->projection().size());
    WORKCTL_TRY(const StoredSize fresh_size, fresh_->projection().size());
    if (size.documents != fresh_size.documents || size.bytes != fresh_size.bytes)
      report.problem =
          fmt::format("the index counts {} documents of {} bytes, the log makes {} of {}",
                      size.documents, size.bytes, fresh_size.documents, fresh_size.bytes);
    WORKCTL_CHECK(search(*fresh_, *index_, "the index lacks, or has otherwise, the entry", report));
    report.entries = 0;
    WORKCTL_CHECK(search(*index_, *fresh_, "the log does not make the entry", report));
    return report;
  }

  /// Looks for every entry of one in the other.
  static Result<void> search(Index& one, Index& other, std::string_view problem, Report& report) {
    Result<std::optional<std::string_view>> found;
    WORKCTL_CHECK(one.entries().walk("", [&](std::string_view key, std::string_view value) {
      if (key.front() == index_tree::kPosition) return true;
      report.entries += 1;
      found = other.entries().get(key);
      if (found && *found == value) return true;
      if (!report.problem) report.problem = fmt::format("{} {}", problem, entry_text(key));
      return false;
    }));
    WORKCTL_CHECK(found);
    return {};
  }

  std::unique_ptr<Journal> journal_;
  std::unique_ptr<Index> index_;
  std::unique_ptr<Index> fresh_;
  IndexReplay replay_{*fresh_};
};

}  // namespace

std::unique_ptr<IndexCheck> IndexCheck::begin(const std::string& store_path,
                                              const Journal::Options& options) {
  FileSystem& file_system = file_system_of(options);
  auto directory = file_system.open_directory(store_path);
  if (!directory) return nullptr;
  auto journal = Journal::open(std::move(*directory), options);
  if (!journal) return nullptr;
  auto index = Index::open(**journal, file_system);
  if (!index || *index == nullptr) return nullptr;
  auto fresh = Index::create_beside(**journal, file_system);
  if (!fresh || !(*fresh)->begin_writing()) return nullptr;
  return std::make_unique<Check>(std::move(*journal), std::move(*index), std::move(*fresh));
}

}  // namespace workctl
