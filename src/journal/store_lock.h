#pragma once

// The lock of a store: one writer at a time, released by the kernel when its process ends.

#include <chrono>
#include <memory>

#include "workctl/base/error.h"
#include "workctl/base/file_system.h"

namespace workctl {

/// Opens the lock file and takes the lock, which lasts as long as the file stays open.
/// `kStoreBusy`, naming the last holder, when it was not to be had in time.
///
/// The file is never unlinked by workctl; where somebody else did, what was locked may not be what
/// others lock, so it is looked at again.
Result<std::unique_ptr<File>> take_lock(Directory& directory, FileSystem& file_system,
                                        std::chrono::milliseconds timeout);

}  // namespace workctl
