#include "support/simulated_disk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace workctl {

std::string to_text(const CrashPlan& plan) {
  constexpr std::array<std::string_view, 4> kTears{"kOld", "kNul", "kGarbage", "kPrefix"};
  const std::string keep = plan.keep ? fmt::format(", .keep = {:#b}", *plan.keep) : "";
  return fmt::format("CrashPlan{{.seed = {}, .tear = Tear::{}{}}}", plan.seed,
                     kTears[static_cast<std::size_t>(plan.tear)], keep);
}

bool Crash::survives() {
  if (!plan_.keep) return below(2) == 1;
  constexpr unsigned kLastBit = 63;
  const unsigned bit = std::min(asked_++, kLastBit);
  return ((*plan_.keep >> bit) & 1U) == 1;
}

void SimulatedContents::cover(Extents& extents, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t page = at / kPageBytes;
    const Extent part{at, std::min(end, (page + 1) * kPageBytes)};
    Extent& extent = extents.try_emplace(page, part).first->second;
    extent = {std::min(extent.begin, part.begin), std::max(extent.end, part.end)};
    at = part.end;
  }
}

void SimulatedContents::cut(Extents& extents, std::uint64_t size) {
  std::erase_if(extents, [&](const auto& entry) { return entry.second.begin >= size; });
  for (auto& [page, extent] : extents) extent.end = std::min(extent.end, size);
}

void SimulatedContents::write(std::uint64_t offset, std::string_view bytes) {
  const std::uint64_t end = offset + bytes.size();
  // What lies between the old end and the write comes into being as well.
  const std::uint64_t begin = std::min<std::uint64_t>(offset, cached_.size());
  if (cached_.size() < end) cached_.resize(end);
  cached_.replace(offset, bytes.size(), bytes);
  cover(dirty_, begin, end);
  // A page is dirty as a whole, so the next sync writes what was given up on beside it as well.
  std::erase_if(given_up_, [&](const auto& entry) {
    const bool touched = dirty_.contains(entry.first);
    if (touched) cover(dirty_, entry.second.begin, entry.second.end);
    return touched;
  });
}

void SimulatedContents::truncate(std::uint64_t size) {
  const std::uint64_t old_size = cached_.size();
  cached_.resize(size);
  cut(dirty_, size);
  cut(given_up_, size);
  if (size > old_size) cover(dirty_, old_size, size);
}

void SimulatedContents::sync() {
  durable_.resize(cached_.size());
  for (const auto& [page, extent] : dirty_) {
    durable_.replace(extent.begin, extent.end - extent.begin, cached_, extent.begin,
                     extent.end - extent.begin);
  }
  dirty_.clear();
}

void SimulatedContents::fail_sync() {
  for (const auto& [page, extent] : dirty_) cover(given_up_, extent.begin, extent.end);
  dirty_.clear();
}

void SimulatedContents::drop_clean_pages() {
  for (const auto& [page, extent] : given_up_) {
    for (std::uint64_t at = extent.begin; at < extent.end; ++at) {
      cached_[at] = at < durable_.size() ? durable_[at] : '\0';
    }
  }
  given_up_.clear();
}

SimulatedContents::Extents SimulatedContents::unsynced_extents() const {
  Extents extents = dirty_;
  extents.insert(given_up_.begin(), given_up_.end());
  return extents;
}

std::size_t SimulatedContents::unsynced_count() const {
  const std::size_t size_change = cached_.size() == durable_.size() ? 0 : 1;
  return size_change + dirty_.size() + given_up_.size();
}

void SimulatedContents::go_down(Crash& crash) {
  const std::uint64_t old_size = durable_.size();
  std::string image = durable_;
  if (image.size() < cached_.size()) image.resize(cached_.size());
  std::uint64_t size = old_size;
  if (cached_.size() != old_size && crash.survives()) size = cached_.size();

  for (const auto& [page, extent] : unsynced_extents()) {
    std::uint64_t arrived = extent.begin;  // up to here the new bytes made it
    if (crash.survives()) {
      arrived = extent.end;
    } else if (crash.tear() == Tear::kPrefix) {
      arrived += crash.below(extent.end - extent.begin);
    } else if (crash.tear() != Tear::kOld) {
      for (std::uint64_t at = extent.begin; at < extent.end; ++at) {
        const bool changed = at >= old_size || image[at] != cached_[at];
        if (!changed) continue;
        image[at] = crash.tear() == Tear::kNul ? '\0' : static_cast<char>(crash.below(256));
      }
    }
    image.replace(extent.begin, arrived - extent.begin, cached_, extent.begin,
                  arrived - extent.begin);
    if (arrived > extent.begin) size = std::max(size, arrived);
  }

  image.resize(size);
  cached_ = image;
  durable_ = std::move(image);
  dirty_.clear();
  given_up_.clear();
}

void SimulatedEntries::make(const Change& change, std::map<std::string, InodeNumber>& entries) {
  if (change.removed) entries.erase(*change.removed);
  if (change.added) entries.insert_or_assign(*change.added, change.inode);
}

void SimulatedEntries::note(Change change) {
  make(change, cached_);
  unsynced_.push_back(std::move(change));
}

void SimulatedEntries::add(const std::string& name, InodeNumber inode) {
  note({.added = name, .inode = inode});
}

void SimulatedEntries::remove(const std::string& name) { note({.removed = name}); }

void SimulatedEntries::rename(const std::string& from, const std::string& to) {
  note({.removed = from, .added = to, .inode = cached_.at(from)});
}

void SimulatedEntries::sync() {
  durable_ = cached_;
  unsynced_.clear();
}

void SimulatedEntries::go_down(Crash& crash) {
  for (const Change& change : unsynced_) {
    if (crash.survives()) make(change, durable_);
  }
  cached_ = durable_;
  unsynced_.clear();
}

SimulatedDisk::SimulatedDisk() { make(FileStatus::Kind::kDirectory); }

InodeNumber SimulatedDisk::make(FileStatus::Kind kind) {
  const InodeNumber number = next_inode_++;
  const std::uint32_t mode = kind == FileStatus::Kind::kDirectory ? 0700 : 0600;
  inodes_.emplace(number, Inode{.status = {.kind = kind,
                                           .size = 0,
                                           .inode = number,
                                           .device = 1,
                                           .links = 1,
                                           .mode = mode,
                                           .owner = user()}});
  return number;
}

FileStatus SimulatedDisk::status(InodeNumber number) const {
  FileStatus status = inode(number).status;
  status.size = inode(number).contents.cached().size();
  return status;
}

std::optional<InodeNumber> SimulatedDisk::find(std::string_view path) const {
  InodeNumber number = kRoot;
  while (!path.empty()) {
    const auto slash = std::min(path.find('/'), path.size());
    const std::string name(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (name.empty() || name == ".") continue;
    const auto& names = inode(number).entries.cached();
    const auto found = names.find(name);
    if (found == names.end()) return std::nullopt;
    number = found->second;
  }
  return number;
}

std::size_t SimulatedDisk::unsynced_count() const {
  std::size_t count = 0;
  for (const auto& [number, inode] : inodes_) {
    count += inode.contents.unsynced_count() + inode.entries.unsynced_count();
  }
  return count;
}

void SimulatedDisk::drop_clean_pages() {
  for (auto& [number, inode] : inodes_) inode.contents.drop_clean_pages();
}

void SimulatedDisk::go_down(const CrashPlan& plan) {
  Crash crash(plan);
  for (auto& [number, inode] : inodes_) {
    inode.contents.go_down(crash);
    inode.entries.go_down(crash);
    inode.status.links = number == kRoot ? 1 : 0;
  }
  for (const auto& [number, inode] : inodes_) {
    for (const auto& [name, child] : inode.entries.cached()) ++inodes_.at(child).status.links;
  }
  release_locks();
  ++boot_;
}

void SimulatedDisk::release_locks() {
  for (auto& [number, inode] : inodes_) inode.locks.clear();
}

}  // namespace workctl
