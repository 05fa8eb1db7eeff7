#pragma once

// Opening the files of a store so that nobody else's file is ever read or written in their place.

#include <memory>
#include <string>

#include "workctl/base/file_system.h"
#include "workctl/journal/journal.h"

namespace workctl {

/// The file system that the options name.
FileSystem& file_system_of(const Journal::Options& options);

/// `kStoreUnsafe` unless the directory belongs to this user (root may use anybody's) and only its
/// owner can make names in it, or it has the sticky bit.
Result<void> check_directory(Directory& directory, FileSystem& file_system);

/// Opens a regular file that has one name, belongs to this user (root may use anybody's) and is not
/// writable by others. Null when it must exist and does not.
Result<std::unique_ptr<File>> open_store_file(Directory& directory, FileSystem& file_system,
                                              const std::string& name, OpenMode mode);

/// The hint of every error about a damaged log.
inline constexpr const char* kRepairHint =
    "`workctl repair` says what can be done, and changes nothing by itself";

/// `directory.path()/name`, for messages.
std::string path_of(const Directory& directory, const std::string& name);

}  // namespace workctl
