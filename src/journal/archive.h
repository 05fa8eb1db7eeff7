#pragma once

// What is taken out of a log is kept in the store's `archive/`.

#include <cstdint>
#include <string>

#include "workctl/base/error.h"
#include "workctl/base/file_system.h"

namespace workctl {

/// Copies the bytes of `log` from `begin` to `end` into `archive/`, which is made when missing;
/// durable, with its name, when this returns. The name, relative to the store, is `prefix` and the
/// beginning of the bytes' digest, so that doing this again after a crash changes nothing.
Result<std::string> keep_in_archive(Directory& directory, FileSystem& file_system, File& log,
                                    std::uint64_t begin, std::uint64_t end,
                                    const std::string& prefix);

}  // namespace workctl
