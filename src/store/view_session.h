#pragma once

// Sessions that answer as a view does.

#include "workctl/store/projection.h"

namespace workctl {

/// Answers what a view answers.
class ViewSession : public Session {
 public:
  Result<std::optional<StoredDocument>> get(std::string_view collection,
                                            std::string_view key) override {
    return view_.get(collection, key);
  }
  Result<std::optional<std::string>> find_by_scope(std::string_view scope) override {
    return view_.find_by_scope(scope);
  }
  Result<std::optional<std::string>> find_by_result(std::string_view result_id) override {
    return view_.find_by_result(result_id);
  }
  Result<std::vector<std::string>> ready(const ReadyQuery& query, std::size_t limit) override {
    return view_.ready(query, limit);
  }
  Result<std::vector<std::string>> expired_leases(Instant now) override {
    return view_.expired_leases(now);
  }
  Result<std::vector<std::string>> due_timeouts(Instant now) override {
    return view_.due_timeouts(now);
  }
  Result<ListPage> list(const ListFilter& filter, std::string_view cursor,
                        std::size_t limit) override {
    return view_.list(filter, cursor, limit);
  }
  Result<ListPage> ended(const ListFilter& filter, Instant until, std::string_view cursor,
                         std::size_t limit) override {
    return view_.ended(filter, until, cursor, limit);
  }
  Result<std::vector<std::string>> dependents(std::string_view id) override {
    return view_.dependents(id);
  }
  Result<std::vector<StateCount>> counts() override { return view_.counts(); }
  Result<std::optional<Instant>> oldest_ready() override { return view_.oldest_ready(); }
  Result<StoredSize> size() override { return view_.size(); }
  Result<std::vector<std::string>> keys(std::string_view collection) override {
    return view_.keys(collection);
  }
  std::uint64_t revision() const override { return view_.revision(); }
  Instant last_commit_at() const override { return view_.last_commit_at(); }

 protected:
  /// The view must outlive it.
  explicit ViewSession(View& view) : view_(view) {}

 private:
  View& view_;
};

/// On a projection, which it changes.
class ProjectionSession : public ViewSession {
 protected:
  /// The projection must outlive it.
  explicit ProjectionSession(Projection& projection)
      : ViewSession(projection), projection_(projection) {}

  /// What the guards of a write ask: that the document is in the version it is based on, and that
  /// what is unique belongs to nobody else.
  Result<void> check_write(const DocumentWrite& write);

  Projection& projection_;
};

}  // namespace workctl
