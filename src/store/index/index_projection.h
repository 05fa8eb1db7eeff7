#pragma once

// The projection that is kept in the index's tree: documents, and entries from which every query is
// answered without looking at what it is not about.
//
// Ready work stands in one queue for each tenant, application and set of capabilities, so that a
// claim compares the heads of the queues that a worker can serve. Work whose dependencies are not
// met stands in none, and is put into its queue by the change that meets the last of them. Work
// that is not yet eligible stands in one list by instant, and is moved to its queue by the first
// question after that instant: where it stands is the one thing that the log alone does not say.

#include <memory>
#include <unordered_map>

#include "store/index/lmdb.h"
#include "store/index/records.h"
#include "workctl/store/projection.h"

namespace workctl::index_tree {

class IndexProjection final : public Projection {
 public:
  /// Calls `make_writable` when a question has to move entries and the transaction only reads.
  explicit IndexProjection(std::function<Result<void>()> make_writable)
      : make_writable_(std::move(make_writable)) {}

  /// From now on works on this transaction, which must outlive its use; null: on none.
  Result<void> attach(lmdb::Transaction* transaction);
  /// The same on another transaction of the same state.
  void move_to(lmdb::Transaction& transaction);
  /// Puts all work that has an instant to be eligible at where it stands before any question.
  Result<void> demote_all();
  /// Writes down what the tree is the replay of.
  Result<void> save(const LogPosition& position);
  /// As it was saved.
  const LogPosition& saved_position() const { return state_.position; }
  /// Whether anything was changed since `attach`.
  bool changed() const { return changed_; }

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
  Result<std::vector<std::string>> keys(std::string_view collection) override;
  Result<std::vector<StateCount>> counts() override;
  Result<std::optional<Instant>> oldest_ready() override;
  Result<StoredSize> size() override;
  std::uint64_t revision() const override { return revision_; }
  Instant last_commit_at() const override { return last_commit_at_; }

 private:
  using Entries = std::vector<std::pair<std::string, std::string>>;

  Result<std::optional<WorkloadRow>> row(std::string_view id) const;
  /// Whether every dependency is in its required state, that of `changed` being `state`.
  Result<bool> dependencies_met(const WorkloadRow& row, std::string_view changed,
                                std::string_view state) const;
  Result<bool> dependencies_met(const WorkloadRow& row) const;
  Result<void> replace_entries(const WorkloadRow* before, bool met_before, const WorkloadRow* after,
                               bool met_after);
  Result<void> tell_waiters(const std::string& id, const std::string& before,
                            const std::string& after);
  Result<void> enqueue(const WorkloadRow& row);
  Result<void> dequeue(const WorkloadRow& row);
  Result<void> stand_in_queue(const WorkloadRow& row, const std::string& queue,
                              std::string_view eligible_at);
  Result<void> leave_queue(const WorkloadRow& row, const std::string& queue);
  Result<void> count_state(const WorkloadRow& row, std::int64_t change);
  Result<void> promote(Instant now);
  Result<void> demote(const std::string& queue, const std::vector<std::string>& unripe);
  Result<std::vector<std::string>> heads(const std::string& queue, Instant now, std::size_t limit);
  Result<std::optional<std::string>> holder(char kind, std::string_view text) const;
  Result<std::vector<std::string>> ids_until(char kind, Instant until) const;
  Result<bool> matches(const ListFilter& filter, std::string_view id) const;
  Result<void> writable();

  std::function<Result<void>()> make_writable_;
  lmdb::Transaction* tree_ = nullptr;
  State state_{};
  std::uint64_t revision_ = 0;
  Instant last_commit_at_ = 0;
  bool changed_ = false;
  /// Documents of late that were read or written, by their keys in the tree.
  std::unordered_map<std::string, Json> documents_{};
};

}  // namespace workctl::index_tree
