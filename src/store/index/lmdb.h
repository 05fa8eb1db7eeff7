#pragma once

// LMDB with results in place of codes, and one unnamed tree a file.
//
// An environment runs without LMDB's own locks, which know processes by their numbers and fail
// where two containers share a directory: whoever uses it keeps writers apart, and readers away
// from a commit. It does not sync either: what it holds is thrown away after a crash of the
// machine.

#include <lmdb.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "workctl/base/error.h"
#include "workctl/store/engine.h"

namespace workctl {

namespace lmdb {

class Environment {
 public:
  /// Opens the file at `path`, which exists; an empty one becomes an empty tree. It can grow to
  /// `bytes_max`, of which only what is used takes memory or space.
  static Result<std::unique_ptr<Environment>> open(const std::string& path,
                                                   std::uint64_t bytes_max);
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment();

  /// The descriptor that the pages are read from and written to.
  int descriptor() const;
  /// Bytes that the file must have for every page of the tree to be in it.
  std::uint64_t bytes_used() const;
  MDB_env* get() const { return environment_; }
  /// Called with the first trouble with the tree, before it is reported.
  void on_trouble(std::function<void()> tell) { tell_ = std::move(tell); }
  /// What to answer when the tree cannot be used, or is found to hold what it should not.
  std::unexpected<Error> trouble(std::string_view what);

 private:
  explicit Environment(MDB_env* environment) : environment_(environment) {}
  MDB_env* environment_;
  std::function<void()> tell_{};
};

enum class Access { kRead, kWrite };

/// A snapshot of the tree, and with write access the changes made to it, which stay in memory until
/// `commit`. Destroyed without one it has changed nothing.
class Transaction {
 public:
  static Result<std::unique_ptr<Transaction>> begin(Environment& environment, Access access);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  Access access() const { return access_; }
  std::unexpected<Error> trouble(std::string_view what) const { return environment_.trouble(what); }

  /// The value stays where it is until the next change.
  Result<std::optional<std::string_view>> get(std::string_view key) const;
  Result<void> put(std::string_view key, std::string_view value);
  /// Whether it was there.
  Result<bool> erase(std::string_view key);
  Result<void> clear();
  Result<void> commit();

  /// Shows the entries whose keys begin with `prefix`, from `from` on, in order, while `visit` says
  /// true. It must not change anything.
  using Visit = std::function<bool(std::string_view key, std::string_view value)>;
  Result<void> walk(std::string_view prefix, std::string_view from, const Visit& visit) const;
  Result<void> walk(std::string_view prefix, const Visit& visit) const {
    return walk(prefix, prefix, visit);
  }

 private:
  Transaction(Environment& environment, MDB_txn* transaction, MDB_dbi tree, Access access)
      : environment_(environment), transaction_(transaction), tree_(tree), access_(access) {}
  std::unexpected<Error> refused(const char* call, int code) const;

  Environment& environment_;
  MDB_txn* transaction_;
  MDB_dbi tree_;
  Access access_;
};

}  // namespace lmdb
}  // namespace workctl
