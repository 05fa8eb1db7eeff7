#pragma once

/// Documents and the answers about them, held in memory: the state that a log's commits add up to.

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "workctl/store/engine.h"
#include "workctl/store/row.h"

namespace workctl {

/// A View that is changed by putting documents into it. Copying copies every document.
class MemoryProjection final : public View {
 public:
  Result<std::optional<StoredDocument>> get(std::string_view collection,
                                            std::string_view key) override;
  Result<std::optional<std::string>> find_by_scope(std::string_view scope) override;
  Result<std::optional<std::string>> find_by_result(std::string_view result_id) override;
  Result<std::vector<std::string>> ready(const ReadyQuery& query, std::size_t limit) override;
  Result<std::vector<std::string>> expired_leases(Instant now) override;
  Result<ListPage> list(const ListFilter& filter, std::string_view cursor,
                        std::size_t limit) override;
  Result<std::vector<std::string>> keys(std::string_view collection) override;
  std::uint64_t revision() const override { return revision_; }
  Instant last_commit_at() const override { return last_commit_at_; }

  /// Version of a document, 0 when it was never there. Removed documents keep theirs.
  std::uint64_t version(std::string_view collection, std::string_view key) const;
  /// The document without a copy; null when absent or removed. Valid until the next change.
  const Json* find(std::string_view collection, std::string_view key) const;

  /// Stores a document in a version, or removes it (`nullopt`).
  void put(std::string_view collection, std::string_view key, std::uint64_t version,
           std::optional<Json> document);
  /// Changes a document in place by an RFC 6902 patch.
  Result<void> patch(std::string_view collection, std::string_view key, std::uint64_t version,
                     const Json& patch);
  void set_position(std::uint64_t revision, Instant at);
  void clear();

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
