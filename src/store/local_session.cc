#include "store/local_session.h"

#include <fmt/format.h>

#include "store/transaction_text.h"

namespace workctl {

LocalSession::~LocalSession() {
  if (!roll_back_to(0)) turn_.lost = true;
  update_index();
  if (turn_.index != nullptr) turn_.index->end();
  journal_.unlock();
}

Result<void> LocalSession::roll_back_to(std::size_t undo_count) {
  rolled_back_ = rolled_back_ || undo_.size() > undo_count;
  while (undo_.size() > undo_count) {
    Undo& undo = undo_.back();
    WORKCTL_CHECK(
        projection_.put(undo.collection, undo.key, undo.version, std::move(undo.document)));
    undo_.pop_back();
  }
  if (undo_count == 0) {
    projection_.set_position(journal_.position().revision, journal_.position().at);
  }
  return {};
}

Result<void> LocalSession::take_in(DocumentWrite& write, TransactionText& text) {
  WORKCTL_CHECK(check_write(write));
  WORKCTL_TRY(const std::uint64_t version, projection_.version(write.collection, write.key));
  WORKCTL_TRY(const Json* const before, projection_.find(write.collection, write.key));
  WORKCTL_CHECK(text.add(write, version + 1, before));
  Undo undo{write.collection, write.key, version, std::nullopt};
  if (before != nullptr) undo.document = *before;
  undo_.push_back(std::move(undo));
  return projection_.put(write.collection, write.key, version + 1, std::move(write.document));
}

Result<void> LocalSession::stage(Transaction transaction) {
  const std::size_t undo_before = undo_.size();
  const auto refuse = [&](Error error) -> Result<void> {
    if (!roll_back_to(undo_before)) turn_.lost = true;
    return std::unexpected(std::move(error));
  };
  TransactionText text(projection_.revision() + 1, transaction.at);
  for (DocumentWrite& write : transaction.writes) {
    if (auto taken = take_in(write, text); !taken) return refuse(std::move(taken).error());
  }
  if (line_.bytes() + text.bytes_max() > kLineBytesMax) {
    return refuse({errc::kTooLarge, fmt::format("{} bytes for one line, over the limit of {} bytes",
                                                line_.bytes() + text.bytes_max(), kLineBytesMax)});
  }
  text.append_to(line_);
  projection_.set_position(line_.last_revision(), line_.last_at());
  return {};
}

Result<void> LocalSession::commit() {
  if (turn_.lost) return failure(errc::kBug, "commit in a session that is over");
  if (line_.count() == 0) return {};
  if (auto appended = journal_.append(line_); !appended) {
    turn_.lost = appended.error().code == errc::kOutcomeUnknown;
    line_.clear();
    if (!roll_back_to(0)) turn_.lost = true;
    return appended;
  }
  line_.clear();
  undo_.clear();
  update_index();
  return {};
}

void LocalSession::update_index() {
  if (turn_.index == nullptr || turn_.lost) return;
  // What was taken back is as it was: on a full disk there may be no room to write that down.
  const LogPosition& saved = turn_.index->projection().saved_position();
  if (rolled_back_ && saved.offset == journal_.position().offset) return;
  // The change is durable, whatever comes of this: an index that stays behind costs time alone.
  if (const auto committed = turn_.index->commit(journal_.position()); !committed)
    turn_.lost = true;
}

}  // namespace workctl
