#pragma once

// A writer's turn on the local engine: the journal's lock is held while it lives.

#include <memory>
#include <string>
#include <vector>

#include "store/index/index.h"
#include "store/transaction_text.h"
#include "store/view_session.h"
#include "workctl/journal/journal.h"

namespace workctl {

/// What a session works on and leaves behind.
struct Turn {
  Index* index = nullptr;  ///< whose projection it is; null: one in memory
  bool lost = false;       ///< set when journal and projection cannot be used after this session
};

class LocalSession final : public ProjectionSession {
 public:
  /// `journal` is locked and caught up with, `projection` is what its commits add up to.
  LocalSession(Journal& journal, Projection& projection, Turn& turn)
      : ProjectionSession(projection), journal_(journal), turn_(turn) {}
  ~LocalSession() override;

  Result<void> stage(Transaction transaction) override;
  std::size_t staged() const override { return line_.count(); }
  std::uint64_t staged_bytes() const override { return line_.bytes(); }
  Result<void> commit() override;

 private:
  /// What a staged write replaced.
  struct Undo {
    std::string collection;
    std::string key;
    std::uint64_t version;
    std::optional<Json> document;
  };

  Result<void> take_in(DocumentWrite& write, TransactionText& text);
  Result<void> roll_back_to(std::size_t undo_count);
  void update_index();

  Journal& journal_;
  Turn& turn_;
  CommitLine line_;
  std::vector<Undo> undo_;
  bool rolled_back_ = false;
};

}  // namespace workctl
