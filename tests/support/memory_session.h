#pragma once

/// A store that lives in memory and is always in session: what is staged is stored.

#include <fmt/core.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "store/view_session.h"
#include "workctl/store/memory_projection.h"

namespace workctl {

class MemorySession final : public ProjectionSession {
 public:
  MemorySession() : ProjectionSession(documents_) {}
  /// The audits of everything that was staged, in order.
  const std::vector<Json>& audits() const { return audits_; }
  std::size_t commits() const { return commits_; }
  MemoryProjection& projection() const { return documents_; }
  /// Puts a document in past every guard.
  void plant(std::string_view collection, const std::string& key, Json document) {
    const std::uint64_t version = projection_.version(collection, key).value();
    static_cast<void>(projection_.put(collection, key, version + 1, std::move(document)));
  }
  /// The next `stage` fails with this, once.
  void refuse_next(Error error) { refusals_.push_back(std::move(error)); }

  Result<void> stage(Transaction transaction) override {
    if (!refusals_.empty()) {
      Error error = std::move(refusals_.back());
      refusals_.pop_back();
      return std::unexpected(std::move(error));
    }
    for (const DocumentWrite& write : transaction.writes) WORKCTL_CHECK(check_write(write));
    const std::uint64_t revision = projection_.revision() + 1;
    for (DocumentWrite& write : transaction.writes) {
      audits_.push_back(std::move(write.audit));
      WORKCTL_CHECK(projection_.put(write.collection, write.key, write.base_version + 1,
                                    std::move(write.document)));
    }
    projection_.set_position(revision, transaction.at);
    ++staged_;
    return {};
  }
  std::size_t staged() const override { return staged_; }
  std::uint64_t staged_bytes() const override { return staged_ * kBytesEach; }
  Result<void> commit() override {
    if (staged_ > 0) ++commits_;
    staged_ = 0;
    return {};
  }

  /// What each staged transaction is said to take in a log.
  static constexpr std::uint64_t kBytesEach = 1000;

 private:
  mutable MemoryProjection documents_;  ///< asking a projection may move what it holds
  std::vector<Json> audits_;
  std::vector<Error> refusals_;
  std::size_t staged_ = 0;
  std::size_t commits_ = 0;
};

}  // namespace workctl
