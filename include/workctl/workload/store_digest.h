#pragma once

/// What a store holds, as the conformance README compares it.

#include <optional>
#include <string>

#include "workctl/store/engine.h"

namespace workctl {

/// A workload's document with its `__version`; nothing when there is no such workload.
Result<std::optional<Json>> versioned_document(View& view, const std::string& id);

/// Hex SHA-256 of the canonical text of the object that holds every workload's versioned document
/// by id. Reads them all.
Result<std::string> store_digest(View& view);

}  // namespace workctl
