#pragma once

/// Documents and the answers about them, held in memory: the state that a log's commits add up to.

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "workctl/store/projection.h"
#include "workctl/store/row.h"

namespace workctl {

/// Copying copies every document.
class MemoryProjection final : public Projection {
 public:
  Result<std::uint64_t> version(std::string_view collection, std::string_view key) override;
  Result<const Json*> find(std::string_view collection, std::string_view key) override;
  Result<std::optional<Json>> take(std::string_view collection, std::string_view key) override;
  Result<void> put(std::string_view collection, std::string_view key, std::uint64_t version,
                   std::optional<Json> document) override;
  Result<void> each(const Visit& visit) override;
  void set_position(std::uint64_t revision, Instant at) override;
  Result<void> clear() override;

  Result<std::optional<std::string>> find_by_scope(std::string_view scope) override;
  Result<std::optional<std::string>> find_by_result(std::string_view result_id) override;
  Result<std::vector<std::string>> ready(const ReadyQuery& query, std::size_t limit) override;
  Result<std::vector<std::string>> expired_leases(Instant now) override;
  Result<std::vector<std::string>> due_timeouts(Instant now) override;
  Result<ListPage> list(const ListFilter& filter, std::string_view cursor,
                        std::size_t limit) override;
  Result<ListPage> ended(const ListFilter& filter, Instant until, std::string_view cursor,
                         std::size_t limit) override;
  Result<std::vector<std::string>> dependents(std::string_view id) override;
  Result<std::vector<StateCount>> counts() override;
  Result<std::optional<Instant>> oldest_ready() override;
  Result<StoredSize> size() override;
  Result<std::vector<std::string>> keys(std::string_view collection) override;
  std::uint64_t revision() const override { return revision_; }
  Instant last_commit_at() const override { return last_commit_at_; }

 private:
  struct Entry {
    std::uint64_t version = 0;
    std::optional<Json> document{};
    std::optional<WorkloadRow> row{};
  };
  using Collection = std::map<std::string, Entry, std::less<>>;

  Entry* entry(std::string_view collection, std::string_view key);
  const Entry* entry(std::string_view collection, std::string_view key) const;
  void index(const std::string& key, Entry& entry);
  void unindex(const std::string& key, const Entry& entry);
  bool dependencies_met(const WorkloadRow& row) const;
  /// Rows of all work, by id.
  template <class Look>
  void for_each_row(const Look& look) const;

  std::map<std::string, Collection, std::less<>> collections_;
  std::unordered_map<std::string, std::string> by_scope_;
  std::unordered_map<std::string, std::string> by_result_;
  std::map<QueueKey, std::set<OrderKey>> queues_;  ///< READY work of each tenant and application
  std::set<OrderKey> order_;                       ///< all work, as it is listed
  std::set<std::pair<Instant, std::string>> leases_;
  std::uint64_t revision_ = 0;
  Instant last_commit_at_ = 0;
};

}  // namespace workctl
