#pragma once

// What `stats` answers, as metrics.

#include <string>

#include "workctl/base/json.h"

namespace workctl::cli {

/// The text exposition format of Prometheus (version 0.0.4).
std::string prometheus_text(const Json& stats);

}  // namespace workctl::cli
