#include "workctl/store/projection.h"

namespace workctl {

Result<std::optional<StoredDocument>> Projection::get(std::string_view collection,
                                                      std::string_view key) {
  WORKCTL_TRY(const std::uint64_t stored_in, version(collection, key));
  WORKCTL_TRY(const Json* const document, find(collection, key));
  if (document == nullptr) return std::nullopt;
  return StoredDocument{.version = stored_in, .document = *document};
}

}  // namespace workctl
