#pragma once

/// A whole store on a simulated machine: what its documents are, and what of them was promised.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/simulated_file_system.h"
#include "workctl/store/local_engine.h"

namespace workctl {

/// Every document, as its version and canonical text, by collection and key.
using StoreState =
    std::map<std::pair<std::string, std::string>, std::pair<std::uint64_t, std::string>>;
StoreState state_of(View& view);

/// What may be found at some moment: what was acknowledged, or else one of the states that the
/// commits under way lead to, each of them whole.
struct StorePromise {
  StoreState acknowledged{};
  std::vector<StoreState> under_way{};

  bool kept_by(const StoreState& found) const;
};

class StoreMachine {
 public:
  /// A machine with a store in `/store`.
  StoreMachine();
  explicit StoreMachine(SimulatedFileSystem machine) : machine_(std::move(machine)) {}

  /// Makes the store; false when it was there.
  static Result<bool> make_store(SimulatedFileSystem& machine);
  Result<std::unique_ptr<LocalStore>> open();
  /// A process opens the store, takes its turn and ends: what it found.
  Result<StoreState> settle();

  using Work = std::function<Result<void>(Session& session)>;
  /// A process of its own takes its turn, does `work` and commits what is staged. `promise` is kept
  /// up to date meanwhile, also by commits within `work` that go through `commit`.
  Result<void> run(StorePromise& promise, const Work& work);
  static Result<void> commit(Session& session, StorePromise& promise);

  SimulatedFileSystem& machine() { return machine_; }

 private:
  SimulatedFileSystem machine_;
};

/// A write of a document in the collection "notes", with an audit.
DocumentWrite note(const std::string& key, std::uint64_t base_version,
                   std::optional<Json> document);

/// What a store goes through: each step is one process. `Step::name` is for messages.
struct Step {
  const char* name;
  std::function<Result<void>(StoreMachine& machine, StorePromise& promise)> run;
};
/// Single and multi-document commits, patches and removals, several transactions in one line, a
/// whole life of work, a recovery, a migration, and compactions between them.
std::vector<Step> store_story();

}  // namespace workctl
