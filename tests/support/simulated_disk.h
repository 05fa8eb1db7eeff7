#pragma once

/// What a disk remembers apart from what the kernel remembers of it: the state behind
/// SimulatedFileSystem.
///
/// File contents are cached in pages. A write changes the cache; only a sync makes the medium
/// follow, and a crash leaves on the medium any subset of what was not synced, torn in one of four
/// ways. Directory entries are remembered the same way, apart from the contents of the files that
/// they name.
///
/// The model is harsh but not absurd: pages and entries survive independently of each other and of
/// their order, a size may survive without its bytes and bytes of one write without others, and
/// syncing a file does not sync its name. But a rename is one change, and writing the same bytes
/// over themselves cannot tear.

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "workctl/base/file_system.h"

namespace workctl {

inline constexpr std::uint64_t kPageBytes = 4096;

/// What a page holds whose last writes did not make it.
enum class Tear {
  kOld,      ///< what was there before; NUL where nothing was
  kNul,      ///< NUL
  kGarbage,  ///< anything
  kPrefix,   ///< the beginning of what was written, then what was there before
};

/// How a machine goes down.
struct CrashPlan {
  /// Decides where a page tears, what garbage is, and, without `keep`, what survives.
  std::uint64_t seed = 0;
  Tear tear = Tear::kOld;
  /// Bit i: whether the i-th unsynced change survives (the last bit stands for all further ones).
  std::optional<std::uint64_t> keep{};
};

/// For messages: the plan as it would be written in a test.
std::string to_text(const CrashPlan& plan);

/// Carries a plan out, change by change.
class Crash {
 public:
  explicit Crash(const CrashPlan& plan) : plan_(plan), random_(plan.seed) {}

  /// Whether the next unsynced change survives.
  bool survives();
  Tear tear() const { return plan_.tear; }
  /// A number from 0 to `bound - 1`.
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

 private:
  CrashPlan plan_;
  std::mt19937_64 random_;
  unsigned asked_ = 0;
};

/// The bytes of one file, in the cache and on the medium.
class SimulatedContents {
 public:
  const std::string& cached() const { return cached_; }
  void write(std::uint64_t offset, std::string_view bytes);
  void truncate(std::uint64_t size);
  void sync();
  /// The kernel gives up on what it could not write and holds it to be clean: it is in the cache,
  /// not on the medium, and no later sync looks at it again.
  void fail_sync();
  /// Reads clean pages again, so that what a failed sync gave up on is gone from the cache as well.
  void drop_clean_pages();

  std::size_t unsynced_count() const;
  void go_down(Crash& crash);

 private:
  struct Extent {
    std::uint64_t begin;
    std::uint64_t end;
  };
  using Extents = std::map<std::uint64_t, Extent>;  ///< by page, the bytes of it that were written

  static void cover(Extents& extents, std::uint64_t begin, std::uint64_t end);
  static void cut(Extents& extents, std::uint64_t size);
  Extents unsynced_extents() const;

  std::string cached_;
  std::string durable_;
  Extents dirty_;     ///< the next sync writes them
  Extents given_up_;  ///< no sync will
};

using InodeNumber = std::uint64_t;

/// The names in one directory, in the cache and on the medium.
class SimulatedEntries {
 public:
  const std::map<std::string, InodeNumber>& cached() const { return cached_; }
  void add(const std::string& name, InodeNumber inode);
  void remove(const std::string& name);
  void rename(const std::string& from, const std::string& to);
  void sync();

  std::size_t unsynced_count() const { return unsynced_.size(); }
  void go_down(Crash& crash);

 private:
  struct Change {
    std::optional<std::string> removed{};
    std::optional<std::string> added{};
    InodeNumber inode = 0;
  };
  static void make(const Change& change, std::map<std::string, InodeNumber>& entries);
  void note(Change change);

  std::map<std::string, InodeNumber> cached_;
  std::map<std::string, InodeNumber> durable_;
  std::vector<Change> unsynced_;
};

struct Inode {
  FileStatus status;
  SimulatedContents contents{};
  SimulatedEntries entries{};
  /// Who holds a lock on it, by the number of the handle.
  std::map<std::uint64_t, LockKind> locks{};
};

/// A disk, and the machine it is in. Copies are independent.
class SimulatedDisk {
 public:
  static constexpr InodeNumber kRoot = 2;

  SimulatedDisk();

  Inode& inode(InodeNumber number) { return inodes_.at(number); }
  const Inode& inode(InodeNumber number) const { return inodes_.at(number); }
  InodeNumber make(FileStatus::Kind kind);
  /// What fstat(2) says of it.
  FileStatus status(InodeNumber number) const;
  /// What a path names, without following links.
  std::optional<InodeNumber> find(std::string_view path) const;

  std::size_t unsynced_count() const;
  void drop_clean_pages();
  /// Power goes and comes back: what was not synced is lost or not as the plan says, nobody holds a
  /// lock, and the boot is another.
  void go_down(const CrashPlan& plan);
  /// Every process is gone, the machine goes on.
  void release_locks();

  std::string boot_id() const { return "boot-" + std::to_string(boot_); }
  std::uint32_t user() const { return 1000; }

 private:
  std::map<InodeNumber, Inode> inodes_;
  InodeNumber next_inode_ = kRoot;
  std::uint64_t boot_ = 1;
};

}  // namespace workctl
