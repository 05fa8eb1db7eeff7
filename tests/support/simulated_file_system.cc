#include "support/simulated_file_system.h"

#include <cerrno>
#include <random>
#include <stdexcept>
#include <utility>

#include "support/simulated_handles.h"
#include "support/simulated_machine.h"

namespace workctl {
namespace {

std::unexpected<SystemError> refused(int error_number, const char* call) {
  return std::unexpected(SystemError{error_number, call});
}

std::string parent_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == 0 || slash == path.npos ? "/" : path.substr(0, slash);
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

SimulatedFileSystem::SimulatedFileSystem() : SimulatedFileSystem(SimulatedDisk()) {}

SimulatedFileSystem::SimulatedFileSystem(SimulatedDisk disk)
    : machine_(std::make_shared<SimulatedMachine>(std::move(disk))) {}

SystemResult<std::unique_ptr<Directory>> SimulatedFileSystem::open_directory(
    const std::string& path) {
  using Opened = SystemResult<std::unique_ptr<Directory>>;
  return machine_->call("open", path, [&]() -> Opened {
    const auto inode = machine_->disk.find(path);
    if (!inode) return refused(ENOENT, "open");
    if (machine_->disk.inode(*inode).status.kind != FileStatus::Kind::kDirectory) {
      return refused(ENOTDIR, "open");
    }
    return open_simulated_directory(machine_, *inode, path);
  });
}

SystemResult<void> SimulatedFileSystem::create_directories(const std::string& path) {
  if (exists(path)) {
    const auto there = open_directory(path);
    return there ? SystemResult<void>{} : std::unexpected(there.error());
  }
  const std::string parent_path = parent_of(path);
  if (auto made = create_directories(parent_path); !made) return made;
  auto parent = open_directory(parent_path);
  if (!parent) return std::unexpected(parent.error());
  if (auto made = (*parent)->create_directory(name_of(path)); !made) return made;
  return (*parent)->sync();
}

SystemResult<std::string> SimulatedFileSystem::boot_id() {
  return machine_->call("open", "boot_id",
                        [&]() -> SystemResult<std::string> { return machine_->disk.boot_id(); });
}

std::uint32_t SimulatedFileSystem::user_id() { return machine_->disk.user(); }

std::uint64_t SimulatedFileSystem::calls() const { return machine_->calls; }

const std::vector<std::string>& SimulatedFileSystem::log() const { return machine_->log; }

void SimulatedFileSystem::observe(std::function<void()> after_call) {
  machine_->after_call = std::move(after_call);
}

void SimulatedFileSystem::fail(std::uint64_t nth, int error_number, Failure failure) {
  fail("", nth, error_number, failure);
}

void SimulatedFileSystem::fail(std::string_view call, std::uint64_t nth, int error_number,
                               Failure failure) {
  machine_->faults.push_back({.kind = SimulatedMachine::Fault::Kind::kError,
                              .call = std::string(call),
                              .countdown = nth,
                              .failure = failure,
                              .error_number = error_number});
}

void SimulatedFileSystem::shorten(std::uint64_t nth, Failure failure) {
  machine_->faults.push_back(
      {.kind = SimulatedMachine::Fault::Kind::kShort, .countdown = nth, .failure = failure});
}

void SimulatedFileSystem::stop_failing() { machine_->faults.clear(); }

std::size_t SimulatedFileSystem::unsynced_count() const { return machine_->disk.unsynced_count(); }

std::vector<CrashPlan> SimulatedFileSystem::crash_plans(std::size_t limit,
                                                        std::uint64_t seed) const {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  // A prefix can end anywhere, so it is tried more often.
  constexpr Tear kTears[] = {Tear::kOld,    Tear::kNul,    Tear::kGarbage,
                             Tear::kPrefix, Tear::kPrefix, Tear::kPrefix};
  constexpr std::size_t kSubsetBitsMax = 16;
  const std::size_t unsynced = unsynced_count();
  std::mt19937_64 random(seed);
  std::vector<CrashPlan> plans;
  plans.push_back({.seed = random(), .keep = kAll});
  const auto lose = [&](std::uint64_t keep) {
    for (const Tear tear : kTears) plans.push_back({.seed = random(), .tear = tear, .keep = keep});
  };

  const std::uint64_t subsets = std::uint64_t{1} << std::min(unsynced, kSubsetBitsMax);
  if (unsynced <= kSubsetBitsMax && 1 + (subsets - 1) * std::size(kTears) <= limit) {
    for (std::uint64_t keep = 0; keep + 1 < subsets; ++keep) lose(keep);
    return plans;
  }
  lose(0);
  while (plans.size() < limit) {
    plans.push_back({.seed = random(), .tear = kTears[random() % std::size(kTears)]});
  }
  plans.resize(limit);
  return plans;
}

SimulatedFileSystem SimulatedFileSystem::crash(const CrashPlan& plan) const {
  SimulatedDisk disk = machine_->disk;
  disk.go_down(plan);
  return SimulatedFileSystem(std::move(disk));
}

SimulatedFileSystem SimulatedFileSystem::fork() const {
  SimulatedDisk disk = machine_->disk;
  disk.release_locks();
  return SimulatedFileSystem(std::move(disk));
}

void SimulatedFileSystem::drop_clean_pages() { machine_->disk.drop_clean_pages(); }

bool SimulatedFileSystem::exists(const std::string& path) const {
  return machine_->disk.find(path).has_value();
}

std::string SimulatedFileSystem::contents(const std::string& path) const {
  const auto inode = machine_->disk.find(path);
  return inode ? machine_->disk.inode(*inode).contents.cached() : std::string();
}

void SimulatedFileSystem::put(const std::string& path, std::string_view bytes) {
  if (!exists(path)) make(path, FileStatus::Kind::kRegular);
  SimulatedContents& contents = machine_->disk.inode(*machine_->disk.find(path)).contents;
  contents.truncate(0);
  contents.write(0, bytes);
  contents.sync();
}

void SimulatedFileSystem::make(const std::string& path, FileStatus::Kind kind) {
  const auto parent = machine_->disk.find(parent_of(path));
  if (!parent) throw std::logic_error("no directory to make " + path + " in");
  const InodeNumber inode = machine_->disk.make(kind);
  SimulatedEntries& entries = machine_->disk.inode(*parent).entries;
  entries.add(name_of(path), inode);
  entries.sync();
}

FileStatus& SimulatedFileSystem::status(const std::string& path) {
  const auto inode = machine_->disk.find(path);
  if (!inode) throw std::logic_error("there is no " + path);
  return machine_->disk.inode(*inode).status;
}

}  // namespace workctl
