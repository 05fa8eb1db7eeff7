#include "store/local_session.h"

#include <fmt/format.h>

#include "store/transaction_text.h"

namespace workctl {

LocalSession::~LocalSession() {
  roll_back_to(0);
  journal_.unlock();
}

void LocalSession::roll_back_to(std::size_t undo_count) {
  while (undo_.size() > undo_count) {
    Undo& undo = undo_.back();
    projection_.put(undo.collection, undo.key, undo.version, std::move(undo.document));
    undo_.pop_back();
  }
  if (undo_count == 0) {
    projection_.set_position(journal_.position().revision, journal_.position().at);
  }
}

Result<void> LocalSession::check_write(const DocumentWrite& write) {
  const bool present = projection_.find(write.collection, write.key) != nullptr;
  const std::uint64_t version = present ? projection_.version(write.collection, write.key) : 0;
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

Result<void> LocalSession::stage(Transaction transaction) {
  const std::size_t undo_before = undo_.size();
  TransactionText text(projection_.revision() + 1, transaction.at);
  const auto take_in = [&](DocumentWrite& write) -> Result<void> {
    WORKCTL_CHECK(check_write(write));
    const Json* before = projection_.find(write.collection, write.key);
    const std::uint64_t version = projection_.version(write.collection, write.key);
    WORKCTL_CHECK(text.add(write, version + 1, before));
    Undo undo{write.collection, write.key, version, std::nullopt};
    if (before != nullptr) undo.document = *before;
    undo_.push_back(std::move(undo));
    projection_.put(write.collection, write.key, version + 1, std::move(write.document));
    return {};
  };
  for (DocumentWrite& write : transaction.writes) {
    if (auto taken = take_in(write); !taken) {
      roll_back_to(undo_before);
      return taken;
    }
  }
  if (line_.bytes() + text.bytes_max() > kLineBytesMax) {
    roll_back_to(undo_before);
    return failure(errc::kTooLarge, fmt::format("{} bytes for one line, over the limit of {} bytes",
                                                line_.bytes() + text.bytes_max(), kLineBytesMax));
  }
  text.append_to(line_);
  projection_.set_position(line_.last_revision(), line_.last_at());
  return {};
}

Result<void> LocalSession::commit() {
  if (lost_) return failure(errc::kBug, "commit in a session that is over");
  if (line_.count() == 0) return {};
  if (auto appended = journal_.append(line_); !appended) {
    lost_ = appended.error().code == errc::kOutcomeUnknown;
    line_.clear();
    roll_back_to(0);
    return appended;
  }
  line_.clear();
  undo_.clear();
  return {};
}

}  // namespace workctl
