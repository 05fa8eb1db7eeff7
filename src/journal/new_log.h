#pragma once

// A log on its way to becoming the store's: written beside it, and put in its place once it is
// whole.

#include <memory>
#include <string>
#include <string_view>

#include "workctl/base/error.h"
#include "workctl/base/file_system.h"

namespace workctl {

class NewLog {
 public:
  /// Begins an empty one. Needs the store's lock; what an earlier process left unfinished goes.
  static Result<NewLog> begin(Directory& directory, FileSystem& file_system);

  Result<void> append(std::string_view bytes);
  /// Makes it the store's log, durable when this returns. On `kIoFailure` the store's log is what
  /// it was; on `kOutcomeUnknown` it is one or the other, each whole.
  Result<void> publish();

 private:
  NewLog(Directory& directory, std::unique_ptr<File> file)
      : directory_(&directory), file_(std::move(file)) {}

  Directory* directory_;
  std::unique_ptr<File> file_;
  std::uint64_t size_ = 0;
};

}  // namespace workctl
