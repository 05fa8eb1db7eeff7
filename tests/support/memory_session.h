#pragma once

/// A store that lives in memory and is always in session: what is staged is stored.

#include <fmt/core.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "workctl/store/memory_projection.h"

namespace workctl {

class MemorySession final : public Session {
 public:
  /// The audits of everything that was staged, in order.
  const std::vector<Json>& audits() const { return audits_; }
  std::size_t commits() const { return commits_; }
  const MemoryProjection& projection() const { return projection_; }
  /// Puts a document in past every guard.
  void plant(std::string_view collection, const std::string& key, Json document) {
    projection_.put(collection, key, projection_.version(collection, key) + 1, std::move(document));
  }
  /// The next `stage` fails with this, once.
  void refuse_next(Error error) { refusals_.push_back(std::move(error)); }

  Result<void> stage(Transaction transaction) override {
    if (!refusals_.empty()) {
      Error error = std::move(refusals_.back());
      refusals_.pop_back();
      return std::unexpected(std::move(error));
    }
    for (const DocumentWrite& write : transaction.writes) WORKCTL_CHECK(check(write));
    const std::uint64_t revision = projection_.revision() + 1;
    for (DocumentWrite& write : transaction.writes) {
      audits_.push_back(std::move(write.audit));
      projection_.put(write.collection, write.key, write.base_version + 1,
                      std::move(write.document));
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

  Result<std::optional<StoredDocument>> get(std::string_view collection,
                                            std::string_view key) override {
    return projection_.get(collection, key);
  }
  Result<std::optional<std::string>> find_by_scope(std::string_view scope) override {
    return projection_.find_by_scope(scope);
  }
  Result<std::optional<std::string>> find_by_result(std::string_view result_id) override {
    return projection_.find_by_result(result_id);
  }
  Result<std::vector<std::string>> ready(const ReadyQuery& query, std::size_t limit) override {
    return projection_.ready(query, limit);
  }
  Result<std::vector<std::string>> expired_leases(Instant now) override {
    return projection_.expired_leases(now);
  }
  Result<ListPage> list(const ListFilter& filter, std::string_view cursor,
                        std::size_t limit) override {
    return projection_.list(filter, cursor, limit);
  }
  Result<std::vector<std::string>> keys(std::string_view collection) override {
    return projection_.keys(collection);
  }
  std::uint64_t revision() const override { return projection_.revision(); }
  Instant last_commit_at() const override { return projection_.last_commit_at(); }

  /// What each staged transaction is said to take in a log.
  static constexpr std::uint64_t kBytesEach = 1000;

 private:
  Result<void> check(const DocumentWrite& write) {
    const bool present = projection_.find(write.collection, write.key) != nullptr;
    const std::uint64_t version = present ? projection_.version(write.collection, write.key) : 0;
    if (version != write.base_version)
      return failure(errc::kConflict, fmt::format("{} is in version {}, not in {}", write.key,
                                                  version, write.base_version));
    if (write.collection != kWorkloads || !write.document) return {};
    const WorkloadRow row = make_row(write.key, *write.document);
    WORKCTL_TRY(const auto scope_owner, projection_.find_by_scope(row.scope));
    if (scope_owner && *scope_owner != write.key)
      return failure(errc::kConflict, fmt::format("{} has the scope", *scope_owner));
    if (!row.result_id) return {};
    WORKCTL_TRY(const auto result_owner, projection_.find_by_result(*row.result_id));
    if (result_owner && *result_owner != write.key)
      return failure(errc::kResultDuplicate, fmt::format("{} has the result", *result_owner));
    return {};
  }

  MemoryProjection projection_;
  std::vector<Json> audits_;
  std::vector<Error> refusals_;
  std::size_t staged_ = 0;
  std::size_t commits_ = 0;
};

}  // namespace workctl
