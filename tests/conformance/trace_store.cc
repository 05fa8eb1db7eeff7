#include "conformance/trace_store.h"

#include <doctest/doctest.h>

#include <map>
#include <utility>

#include "support/memory_session.h"
#include "support/temporary_directory.h"
#include "workctl/store/local_engine.h"

namespace workctl {
namespace {

constexpr std::chrono::milliseconds kLockTimeout{10'000};

/// A process that holds the documents it knows of, and learns of others' commits only when one of
/// its own meets them.
class Writer {
 public:
  explicit Writer(MemorySession& shared) : shared_(shared), known_(shared.projection()) {}

  OperationOutcome run(OperationRequest request) {
    Authority authority(known_,
                        [this](Transaction transaction) { return stage(std::move(transaction)); });
    return std::move(request).run({.authority = authority, .view = known_, .session = nullptr});
  }

 private:
  Result<void> stage(Transaction transaction) {
    std::vector<std::pair<std::string, std::string>> keys;
    for (const DocumentWrite& write : transaction.writes)
      keys.emplace_back(write.collection, write.key);
    const auto staged = shared_.stage(std::move(transaction));
    // A write that went through is known from now on, and so is what a conflict was met with.
    if (!staged && staged.error().code != errc::kConflict) return staged;
    for (const auto& [collection, key] : keys) {
      WORKCTL_TRY(const auto stored, shared_.get(collection, key));
      if (stored) WORKCTL_CHECK(known_.put(collection, key, stored->version, stored->document));
    }
    return staged;
  }

  MemorySession& shared_;
  MemoryProjection known_;
};

class MemoryTraceStore final : public TraceStore {
 public:
  MemoryTraceStore() { writers_.emplace("", shared_); }

  bool has_handles() const override { return true; }

  Result<void> open(const std::string& handle) override {
    writers_.erase(handle);
    writers_.emplace(handle, shared_);
    return {};
  }

  OperationOutcome run(const std::string& handle, OperationRequest request) override {
    // These look at what is stored, whatever the writers know.
    if (!request.reopens()) return writers_.at(handle).run(std::move(request));
    Authority authority(shared_);
    return std::move(request).run({.authority = authority, .view = shared_, .session = &shared_});
  }

  Result<void> reopen() override {
    writers_.clear();
    return open("");
  }

  Result<View*> stored() override { return &shared_; }

 private:
  MemorySession shared_;
  std::map<std::string, Writer> writers_;
};

class LocalTraceStore final : public TraceStore {
 public:
  LocalTraceStore() {
    const auto created = create_local_store(path(), {}, {}, kLockTimeout);
    REQUIRE_MESSAGE(created, created.error().message);
    const auto opened = reopen();
    REQUIRE_MESSAGE(opened, opened.error().message);
  }

  bool has_handles() const override { return false; }

  Result<void> open(const std::string&) override {
    return failure(errc::kInvalidInput, "one writer only");
  }

  OperationOutcome run(const std::string&, OperationRequest request) override {
    auto session = engine_->begin(kLockTimeout);
    if (!session) return {std::unexpected(session.error()), {}};
    Authority authority(**session);
    auto outcome = std::move(request).run(
        {.authority = authority, .view = **session, .session = session->get()});
    if (auto committed = (*session)->commit(); !committed)
      outcome.answer = std::unexpected(committed.error());
    return outcome;
  }

  Result<void> reopen() override {
    engine_.reset();
    WORKCTL_TRY(engine_, open_local_engine(path(), {}, {.use = true}));
    return {};
  }

  Result<View*> stored() override { return engine_->read(); }

 private:
  std::string path() const { return directory_ / "store"; }

  TemporaryDirectory directory_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace

std::unique_ptr<TraceStore> make_memory_trace_store() {
  return std::make_unique<MemoryTraceStore>();
}

std::unique_ptr<TraceStore> make_local_trace_store() { return std::make_unique<LocalTraceStore>(); }

}  // namespace workctl
