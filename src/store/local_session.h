#pragma once

// A writer's turn on the local engine: the journal's lock is held while it lives.

#include <memory>
#include <string>
#include <vector>

#include "workctl/journal/journal.h"
#include "workctl/store/memory_projection.h"

namespace workctl {

class LocalSession final : public Session {
 public:
  /// `journal` is locked and caught up with, `projection` is what its commits add up to. `lost` is
  /// set when neither can be used after this session.
  LocalSession(Journal& journal, MemoryProjection& projection, bool& lost)
      : journal_(journal), projection_(projection), lost_(lost) {}
  ~LocalSession() override;

  Result<void> stage(Transaction transaction) override;
  std::size_t staged() const override { return line_.count(); }
  std::uint64_t staged_bytes() const override { return line_.bytes(); }
  Result<void> commit() override;

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

 private:
  /// What a staged write replaced.
  struct Undo {
    std::string collection;
    std::string key;
    std::uint64_t version;
    std::optional<Json> document;
  };

  Result<void> check_write(const DocumentWrite& write);
  void roll_back_to(std::size_t undo_count);

  Journal& journal_;
  MemoryProjection& projection_;
  bool& lost_;
  CommitLine line_;
  std::vector<Undo> undo_;
};

}  // namespace workctl
