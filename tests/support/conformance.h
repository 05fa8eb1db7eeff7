#pragma once

/// The recorded behaviour that workctl is held to: `tests/conformance/`, whose README says what the
/// files hold.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workctl/base/json.h"

namespace workctl {

/// The values in a file of JSON lines, in order. Ends the test when there is no such file, it is
/// empty, or one of its lines is not JSON.
std::vector<Json> read_conformance_file(const std::string& name);

/// Where a file is.
std::string conformance_path(const std::string& name);

/// The names of all trace files, sorted. Ends the test when there are none.
std::vector<std::string> conformance_trace_names();

}  // namespace workctl
