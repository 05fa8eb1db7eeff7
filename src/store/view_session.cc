#include "store/view_session.h"

#include <fmt/format.h>

#include "workctl/store/row.h"

namespace workctl {

Result<void> ProjectionSession::check_write(const DocumentWrite& write) {
  WORKCTL_TRY(const Json* const stored, projection_.find(write.collection, write.key));
  const bool present = stored != nullptr;
  WORKCTL_TRY(const std::uint64_t stored_in, projection_.version(write.collection, write.key));
  const std::uint64_t version = present ? stored_in : 0;
  if (version != write.base_version) {
    return failure(
        errc::kConflict,
        present ? fmt::format("{} is in version {}, not in {}: another writer was first", write.key,
                              version, write.base_version)
                : fmt::format("{} is not there in version {}", write.key, write.base_version));
  }
  if (write.collection != kWorkloads || !write.document) return {};
  const WorkloadRow row = make_row(write.key, *write.document);
  WORKCTL_TRY(const auto scope_owner, projection_.find_by_scope(row.scope));
  if (scope_owner && *scope_owner != write.key) {
    return failure(errc::kConflict,
                   fmt::format("the idempotency key of {} belongs to {}", write.key, *scope_owner));
  }
  if (row.result_id) {
    WORKCTL_TRY(const auto result_owner, projection_.find_by_result(*row.result_id));
    if (result_owner && *result_owner != write.key) {
      return failure(errc::kResultDuplicate, fmt::format("result \"{}\" of {} belongs to {}",
                                                         *row.result_id, write.key, *result_owner));
    }
  }
  return {};
}

}  // namespace workctl
