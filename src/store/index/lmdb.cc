#include "store/index/lmdb.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <utility>

namespace workctl::lmdb {

namespace {

constexpr unsigned kFileMode = 0600;

std::unexpected<Error> unusable(const char* call, int code) {
  return failure(errc::kIndexUnusable, fmt::format("index: {}: {}", call, mdb_strerror(code)));
}

// LMDB does not write through it: the pointer is not const because it is one type for both ways.
MDB_val as_value(std::string_view bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }

std::string_view as_bytes(const MDB_val& value) {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

}  // namespace

Result<std::unique_ptr<Environment>> Environment::open(const std::string& path,
                                                       std::uint64_t bytes_max) {
  MDB_env* raw = nullptr;
  if (const int code = mdb_env_create(&raw); code != 0) return unusable("mdb_env_create", code);
  std::unique_ptr<Environment> environment(new Environment(raw));
  if (const int code = mdb_env_set_mapsize(raw, bytes_max); code != 0)
    return unusable("mdb_env_set_mapsize", code);
  constexpr unsigned flags = MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC | MDB_NOTLS;
  if (const int code = mdb_env_open(raw, path.c_str(), flags, kFileMode); code != 0)
    return unusable("mdb_env_open", code);
  // LMDB 0.9.24 leaves it open in the programs that this one runs.
  fcntl(environment->descriptor(), F_SETFD, FD_CLOEXEC);
  return environment;
}

Environment::~Environment() { mdb_env_close(environment_); }

int Environment::descriptor() const {
  int descriptor = -1;
  mdb_env_get_fd(environment_, &descriptor);
  return descriptor;
}

std::uint64_t Environment::bytes_used() const {
  MDB_envinfo info;
  MDB_stat stat;
  mdb_env_info(environment_, &info);
  mdb_env_stat(environment_, &stat);
  return (info.me_last_pgno + 1) * stat.ms_psize;
}

std::unexpected<Error> Environment::trouble(std::string_view what) {
  if (tell_) std::exchange(tell_, {})();
  return failure(errc::kIndexUnusable, fmt::format("index: {}", what),
                 "try again: another one is made of the log");
}

std::unexpected<Error> Transaction::refused(const char* call, int code) const {
  return trouble(fmt::format("{}: {}", call, mdb_strerror(code)));
}

Result<std::unique_ptr<Transaction>> Transaction::begin(Environment& environment, Access access) {
  MDB_txn* raw = nullptr;
  const unsigned flags = access == Access::kRead ? MDB_RDONLY : 0;
  if (const int code = mdb_txn_begin(environment.get(), nullptr, flags, &raw); code != 0)
    return environment.trouble(mdb_strerror(code));
  MDB_dbi tree = 0;
  if (const int code = mdb_dbi_open(raw, nullptr, 0, &tree); code != 0) {
    mdb_txn_abort(raw);
    return environment.trouble(mdb_strerror(code));
  }
  return std::unique_ptr<Transaction>(new Transaction(environment, raw, tree, access));
}

Transaction::~Transaction() {
  if (transaction_ != nullptr) mdb_txn_abort(transaction_);
}

Result<std::optional<std::string_view>> Transaction::get(std::string_view key) const {
  MDB_val name = as_value(key);
  MDB_val value;
  const int code = mdb_get(transaction_, tree_, &name, &value);
  if (code == MDB_NOTFOUND) return std::nullopt;
  if (code != 0) return refused("mdb_get", code);
  return as_bytes(value);
}

Result<void> Transaction::put(std::string_view key, std::string_view value) {
  MDB_val name = as_value(key);
  MDB_val data = as_value(value);
  if (const int code = mdb_put(transaction_, tree_, &name, &data, 0); code != 0)
    return refused("mdb_put", code);
  return {};
}

Result<bool> Transaction::erase(std::string_view key) {
  MDB_val name = as_value(key);
  const int code = mdb_del(transaction_, tree_, &name, nullptr);
  if (code != 0 && code != MDB_NOTFOUND) return refused("mdb_del", code);
  return code == 0;
}

Result<void> Transaction::clear() {
  if (const int code = mdb_drop(transaction_, tree_, 0); code != 0)
    return refused("mdb_drop", code);
  return {};
}

Result<void> Transaction::commit() {
  MDB_txn* const transaction = std::exchange(transaction_, nullptr);
  if (const int code = mdb_txn_commit(transaction); code != 0)
    return refused("mdb_txn_commit", code);
  return {};
}

Result<void> Transaction::walk(std::string_view prefix, std::string_view from,
                               const Visit& visit) const {
  MDB_cursor* raw = nullptr;
  if (const int code = mdb_cursor_open(transaction_, tree_, &raw); code != 0)
    return refused("mdb_cursor_open", code);
  const std::unique_ptr<MDB_cursor, void (*)(MDB_cursor*)> cursor(raw, mdb_cursor_close);
  MDB_val key = as_value(from);
  MDB_val value;
  const MDB_cursor_op start = from.empty() ? MDB_FIRST : MDB_SET_RANGE;
  for (int code = mdb_cursor_get(raw, &key, &value, start); code != MDB_NOTFOUND;
       code = mdb_cursor_get(raw, &key, &value, MDB_NEXT)) {
    if (code != 0) return refused("mdb_cursor_get", code);
    if (!as_bytes(key).starts_with(prefix) || !visit(as_bytes(key), as_bytes(value))) break;
  }
  return {};
}

}  // namespace workctl::lmdb
