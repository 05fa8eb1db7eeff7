#pragma once

/// Identifiers that nobody else makes.

#include <cstddef>
#include <string>

namespace workctl {

/// Lower-case hex of `byte_count` bytes from the kernel's random source.
std::string random_hex(std::size_t byte_count);

}  // namespace workctl
