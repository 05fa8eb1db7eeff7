#include "journal/new_log.h"

#include "journal/store_files.h"
#include "workctl/journal/journal.h"

namespace workctl {

namespace {

constexpr const char* kNewLogName = "work.jsonl.new";

std::unexpected<Error> refused(const Directory& directory, const SystemError& error) {
  return std::unexpected(describe(error, path_of(directory, kNewLogName)));
}

}  // namespace

Result<NewLog> NewLog::begin(Directory& directory, FileSystem& file_system) {
  if (directory.status(kNewLogName)) {
    if (const auto removed = directory.remove(kNewLogName); !removed)
      return refused(directory, removed.error());
  }
  WORKCTL_TRY(auto file,
              open_store_file(directory, file_system, kNewLogName, OpenMode::kCreateNew));
  return NewLog(directory, std::move(file));
}

Result<void> NewLog::append(std::string_view bytes) {
  if (const auto done = write_fully(*file_, size_, bytes); !done)
    return refused(*directory_, done.error());
  size_ += bytes.size();
  return {};
}

Result<void> NewLog::publish() {
  if (const auto done = file_->sync(); !done) return refused(*directory_, done.error());
  if (const auto done = directory_->rename(kNewLogName, kLogName); !done)
    return refused(*directory_, done.error());
  if (const auto done = directory_->sync(); !done)
    return failure(
        errc::kOutcomeUnknown,
        describe(done.error(), directory_->path()).message +
            "; whether the new log is in its place will show when the store is next used");
  return {};
}

}  // namespace workctl
