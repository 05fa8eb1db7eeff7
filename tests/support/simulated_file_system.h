#pragma once

/// A machine in memory, behind the file-system seam: it counts and names every call, fails those it
/// is told to, and can lose its power or its processes after any of them.
///
///     SimulatedFileSystem machine;
///     write_something(machine);
///     for (const CrashPlan& plan : machine.crash_plans(100)) {
///       SimulatedFileSystem after = machine.crash(plan);
///       CHECK_MESSAGE(is_fine(after), to_text(plan));
///     }
///
/// Open files and directories belong to the processes on it: dropping them is how a process dies.
/// What it wrote stays in the cache, and its locks are released. They may outlive the object.
///
/// Nobody else runs while a call waits for a lock, so a wait ends at once, and in vain.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/simulated_disk.h"
#include "workctl/base/file_system.h"

namespace workctl {

/// How often a call that was told to fail does so.
enum class Failure { kOnce, kFromThenOn };

class SimulatedMachine;

class SimulatedFileSystem final : public FileSystem {
 public:
  /// An empty disk. `/` is there and durable.
  SimulatedFileSystem();
  SimulatedFileSystem(SimulatedFileSystem&&) = default;
  SimulatedFileSystem& operator=(SimulatedFileSystem&&) = default;

  SystemResult<std::unique_ptr<Directory>> open_directory(const std::string& path) override;
  SystemResult<void> create_directories(const std::string& path) override;
  SystemResult<std::string> boot_id() override;
  std::uint32_t user_id() override;

  // --- what was called

  /// Calls so far, failed ones included.
  std::uint64_t calls() const;
  /// Each of them, as in `pwrite /store/work.jsonl 812 bytes at 0`, with the error it was told to
  /// give.
  const std::vector<std::string>& log() const;
  /// Has `after_call` run after each call, before its caller goes on. In it the machine may be
  /// looked at, crashed and forked, but not called.
  void observe(std::function<void()> after_call);

  // --- calls that fail

  /// The `nth` call from now (1: the next) fails with `error_number` and has no effect; but a
  /// failing sync of a file takes its pages for clean. May be called several times.
  void fail(std::uint64_t nth, int error_number, Failure failure = Failure::kOnce);
  /// The `nth` from now of the calls with this name: pread pwrite ftruncate fdatasync fstat flock
  /// openat mkdirat fstatat renameat unlinkat fsync getdents open.
  void fail(std::string_view call, std::uint64_t nth, int error_number,
            Failure failure = Failure::kOnce);
  /// The `nth` from now of the reads and writes moves only half of the bytes.
  void shorten(std::uint64_t nth, Failure failure = Failure::kOnce);
  /// Nothing fails any more.
  void stop_failing();

  // --- what becomes of it

  /// Pages, sizes and directory changes that no sync has made durable.
  std::size_t unsynced_count() const;
  /// Ways to go down now: every subset of the unsynced changes in every tear mode where these are
  /// at most `limit`, else `limit` of them chosen by `seed`, the first of which lose nothing or
  /// everything.
  std::vector<CrashPlan> crash_plans(std::size_t limit, std::uint64_t seed = 1) const;
  /// The machine as it comes up after it lost its power now.
  SimulatedFileSystem crash(const CrashPlan& plan) const;
  /// The machine as it is now, had all its processes just been killed.
  SimulatedFileSystem fork() const;
  /// The cache forgets what it may: what a failed sync gave up on is then gone.
  void drop_clean_pages();

  // --- looking and meddling from outside: not counted, never failing

  bool exists(const std::string& path) const;
  /// What processes read in a file.
  std::string contents(const std::string& path) const;
  /// Gives a file, made when missing, other contents; durable with its name.
  void put(const std::string& path, std::string_view bytes);
  /// Makes an entry of any kind, durable.
  void make(const std::string& path, FileStatus::Kind kind);
  /// What `status` answers for it, to be changed: owner, mode, links, kind.
  FileStatus& status(const std::string& path);

 private:
  explicit SimulatedFileSystem(SimulatedDisk disk);

  std::shared_ptr<SimulatedMachine> machine_;
};

}  // namespace workctl
