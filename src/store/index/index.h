#pragma once

// The index of a store: its projection in an LMDB file of `index/`, exactly the replay of the log
// up to a recorded place. It is a cache: it may be deleted at any moment, and is thrown away,
// unopened, when it cannot be trusted.
//
// Beside the tree, `index/stamp` says what it was made from: format, boot, store, generation, log
// file, and the tree's own file. What was written in another boot may be torn, since nothing here
// is synced, and a torn LMDB file can crash who reads it.
//
// Only the holder of the store's lock writes. A reader shares a lock on the tree's file for as long
// as it looks at a snapshot; the writer takes it alone for the moment of a commit, and where it
// does not get it, the index stays behind and the next one makes up for it.

#include <cstdint>
#include <memory>
#include <string>

#include "store/index/index_projection.h"
#include "store/index/lmdb.h"
#include "workctl/base/file_system.h"
#include "workctl/journal/journal.h"

namespace workctl {

inline constexpr const char* kIndexName = "index";

class Index {
 public:
  /// The index of this journal's log, or nothing where there is none that can be trusted.
  static Result<std::unique_ptr<Index>> open(Journal& journal, FileSystem& file_system);
  /// An empty one, which takes the place of any other with `publish`. Needs the store's lock.
  static Result<std::unique_ptr<Index>> create(Journal& journal, FileSystem& file_system);

  /// An empty one that nobody else sees, gone when it is closed.
  static Result<std::unique_ptr<Index>> create_beside(Journal& journal, FileSystem& file_system);

  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;
  ~Index();

  /// Whether others would still find it.
  bool is_current() const;
  index_tree::IndexProjection& projection() { return projection_; }
  /// What it holds, between a begin and an end.
  const lmdb::Transaction& entries() const { return *transaction_; }

  /// Looks at the last commit. What is put into the projection is seen by this process alone.
  /// `kIndexUnusable` when a writer is in the way for long.
  Result<void> begin_reading();
  /// The same for the holder of the store's lock, to whom `commit` is open.
  Result<void> begin_writing();
  /// Makes what was put into the projection the index of the log up to `position`, and begins anew.
  /// False when readers were in the way: then nothing was changed.
  Result<bool> commit(const LogPosition& position);
  /// Ends what was begun; what was not committed is gone.
  void end();
  /// Takes the place of the index that was there.
  Result<void> publish(Journal& journal);

 private:
  Index(std::unique_ptr<Directory> directory, FileSystem& file_system, std::string name,
        std::unique_ptr<File> file, std::unique_ptr<lmdb::Environment> environment);

  static Result<std::unique_ptr<Index>> open_file(std::unique_ptr<Directory> directory,
                                                  FileSystem& file_system, const std::string& name,
                                                  std::unique_ptr<File> file,
                                                  std::uint64_t log_bytes);
  Result<void> begin(lmdb::Access access);

  std::unique_ptr<Directory> directory_;  ///< `index/`
  FileSystem& file_system_;
  std::string name_;
  std::unique_ptr<File> file_;  ///< the tree's, for its lock
  std::unique_ptr<lmdb::Environment> environment_;
  std::unique_ptr<lmdb::Transaction> transaction_{};
  bool shared_ = false;  ///< the lock is held
  bool unpublished_ = false;
  index_tree::IndexProjection projection_;
};

}  // namespace workctl
