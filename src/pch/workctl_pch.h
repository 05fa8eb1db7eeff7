// Compiled once for each target that names it as `cpp_pch`: what nearly all of its files read
// first, and what takes longest to read. Every file still includes what it uses.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
