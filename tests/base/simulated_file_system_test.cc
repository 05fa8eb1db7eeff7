/// The simulation itself: what it keeps, loses, fails and logs.

#include "support/simulated_file_system.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>
#include <set>
#include <vector>

namespace workctl {
namespace {

using std::chrono::milliseconds;

constexpr CrashPlan kNothingSurvives{.keep = 0};
constexpr CrashPlan kEverythingSurvives{.keep = ~std::uint64_t{0}};

std::unique_ptr<File> open_file(SimulatedFileSystem& machine, const std::string& name,
                                OpenMode mode = OpenMode::kCreate) {
  auto file = machine.open_directory("/").value()->open(name, mode);
  REQUIRE(file);
  return *std::move(file);
}

void write(File& file, std::uint64_t offset, std::string_view bytes) {
  REQUIRE(write_fully(file, offset, bytes));
}

/// A machine with one durable file `/log` that holds `bytes`.
SimulatedFileSystem machine_with(std::string_view bytes) {
  SimulatedFileSystem machine;
  machine.put("/log", bytes);
  return machine;
}

/// Everything that `/log` may hold after a crash now.
std::set<std::string> outcomes(const SimulatedFileSystem& machine) {
  std::set<std::string> contents;
  for (const CrashPlan& plan : machine.crash_plans(1000)) {
    contents.insert(machine.crash(plan).contents("/log"));
  }
  return contents;
}

}  // namespace

TEST_CASE("simulation: what is synced survives, what is not may not") {
  SimulatedFileSystem machine = machine_with("");
  const auto log = open_file(machine, "log");
  write(*log, 0, "one\n");
  REQUIRE(log->sync());
  write(*log, 4, "two\n");
  CHECK(machine.contents("/log") == "one\ntwo\n");
  CHECK(machine.crash(kNothingSurvives).contents("/log") == "one\n");
  CHECK(machine.crash(kEverythingSurvives).contents("/log") == "one\ntwo\n");
  CHECK(machine.fork().contents("/log") == "one\ntwo\n");
}

TEST_CASE("simulation: an unsynced append tears in four ways") {
  SimulatedFileSystem machine = machine_with("one\n");
  const auto log = open_file(machine, "log");
  write(*log, 4, "two\n");
  const std::set<std::string> seen = outcomes(machine);
  CHECK(seen.contains("one\n"));                          // old
  CHECK(seen.contains("one\ntwo\n"));                     // all of it
  CHECK(seen.contains(std::string("one\n\0\0\0\0", 8)));  // a size without its bytes
  bool garbage = false;
  bool prefix = false;
  for (const std::string& contents : seen) {
    CHECK(contents.starts_with("one\n"));
    if (contents.starts_with("one\nt") && contents.size() < 8) prefix = true;
    if (contents.size() == 8 && contents[4] != 't' && contents[4] != '\0') garbage = true;
  }
  CHECK(garbage);
  CHECK(prefix);
}

TEST_CASE("simulation: pages of one write survive without each other") {
  SimulatedFileSystem machine = machine_with("");
  const auto log = open_file(machine, "log");
  write(*log, 0, std::string(kPageBytes, 'a') + std::string(kPageBytes, 'b') + "c");
  CHECK(machine.unsynced_count() == 4);  // three pages and the size
  const std::string without_the_first = machine.crash({.keep = 0b1100}).contents("/log");
  CHECK(without_the_first == std::string(kPageBytes, '\0') + std::string(kPageBytes, 'b') + "c");
}

TEST_CASE("simulation: writing the same bytes over themselves cannot tear") {
  SimulatedFileSystem machine = machine_with("one\ntwo\n");
  const auto log = open_file(machine, "log");
  write(*log, 4, "two\n");
  CHECK(outcomes(machine) == std::set<std::string>{"one\ntwo\n"});
}

TEST_CASE("simulation: a truncation survives a sync, and otherwise perhaps") {
  SimulatedFileSystem machine = machine_with("one\ntwo\n");
  const auto log = open_file(machine, "log");
  REQUIRE(log->truncate(4));
  CHECK(outcomes(machine) == std::set<std::string>{"one\n", "one\ntwo\n"});
  REQUIRE(log->sync());
  CHECK(outcomes(machine) == std::set<std::string>{"one\n"});
}

TEST_CASE("simulation: a failed sync is believed by the next, over a hole") {
  SimulatedFileSystem machine = machine_with("one\n");
  const auto log = open_file(machine, "log");
  write(*log, 4, "two\n");
  machine.fail("fdatasync", 1, EIO);
  CHECK(log->sync().error().number == EIO);
  CHECK(log->sync());  // the kernel has nothing left to write
  CHECK(machine.contents("/log") == "one\ntwo\n");
  CHECK(machine.crash(kNothingSurvives).contents("/log") == std::string("one\n\0\0\0\0", 8));

  SimulatedFileSystem forgetful = machine.fork();
  forgetful.drop_clean_pages();
  CHECK(forgetful.contents("/log") == std::string("one\n\0\0\0\0", 8));

  write(*log, 4, "two\n");
  CHECK(log->sync());
  CHECK(machine.crash(kNothingSurvives).contents("/log") == "one\ntwo\n");
}

TEST_CASE("simulation: names are durable when their directory is synced, not before") {
  SimulatedFileSystem machine;
  const auto root = machine.open_directory("/").value();
  const auto file = root->open("new", OpenMode::kCreateNew).value();
  write(*file, 0, "x");
  REQUIRE(file->sync());
  CHECK_FALSE(machine.crash(kNothingSurvives).exists("/new"));
  REQUIRE(root->sync());
  CHECK(machine.crash(kNothingSurvives).contents("/new") == "x");

  REQUIRE(root->remove("new"));
  CHECK_FALSE(machine.exists("/new"));
  CHECK(machine.crash(kNothingSurvives).exists("/new"));
  CHECK_FALSE(machine.crash(kEverythingSurvives).exists("/new"));
}

TEST_CASE("simulation: a rename is there or not, and may bring a file without its bytes") {
  SimulatedFileSystem machine = machine_with("old");
  const auto root = machine.open_directory("/").value();
  const auto next = root->open("next", OpenMode::kCreateNew).value();
  write(*next, 0, "new");
  REQUIRE(root->rename("next", "log"));
  CHECK(machine.contents("/log") == "new");
  const std::set<std::string> seen = outcomes(machine);
  CHECK(seen.contains("old"));
  CHECK(seen.contains("new"));
  CHECK(seen.contains(""));

  REQUIRE(next->sync());
  CHECK(outcomes(machine) == std::set<std::string>{"old", "new"});
  REQUIRE(root->sync());
  CHECK(outcomes(machine) == std::set<std::string>{"new"});
}

TEST_CASE("simulation: calls are counted, named, and fail when told to") {
  SimulatedFileSystem machine = machine_with("one");
  const auto log = open_file(machine, "log", OpenMode::kReadWrite);
  CHECK(machine.log() == std::vector<std::string>{"open /", "openat /log"});

  machine.fail(2, ENOSPC);
  CHECK(log->write_at(3, "!"));
  const auto failed = log->write_at(4, "!");
  REQUIRE_FALSE(failed);
  CHECK(failed.error().number == ENOSPC);
  CHECK(failed.error().call == std::string("pwrite"));
  CHECK(log->write_at(4, "?"));
  CHECK(machine.contents("/log") == "one!?");
  CHECK(machine.calls() == 5);
  CHECK(machine.log()[3] == "pwrite /log 1 bytes at 4: errno 28");

  machine.fail(1, EIO, Failure::kFromThenOn);
  CHECK_FALSE(log->status());
  CHECK_FALSE(log->truncate(0));
  machine.stop_failing();
  CHECK(log->status().value().size == 5);
}

TEST_CASE("simulation: reads and writes can be cut short, and the callers above go on") {
  SimulatedFileSystem machine = machine_with("");
  const auto log = open_file(machine, "log");
  machine.shorten(1, Failure::kFromThenOn);
  CHECK(log->write_at(0, "12345678") == 4U);
  REQUIRE(write_fully(*log, 0, "12345678"));
  CHECK(machine.contents("/log") == "12345678");
  CHECK(read_all(*log, 100) == "12345678");
  std::string buffer(6, ' ');
  CHECK(read_fully(*log, 4, buffer) == 4U);
  CHECK(buffer == "5678  ");

  machine.stop_failing();
  machine.shorten(2);
  CHECK(log->write_at(0, "ab") == 2U);
  CHECK(log->write_at(0, "cd") == 1U);
  CHECK(log->write_at(0, "ef") == 2U);
}

TEST_CASE("simulation: locks exclude, and go with their holder, a fork or a crash") {
  SimulatedFileSystem machine = machine_with("");
  auto first = open_file(machine, "log");
  const auto second = open_file(machine, "log");
  CHECK(first->lock(LockKind::kShared, milliseconds(0)) == true);
  CHECK(second->lock(LockKind::kShared, milliseconds(0)) == true);
  CHECK(second->lock(LockKind::kExclusive, milliseconds(1000)) == false);
  REQUIRE(first->unlock());
  CHECK(second->lock(LockKind::kExclusive, milliseconds(0)) == true);
  CHECK(first->lock(LockKind::kShared, milliseconds(0)) == false);

  SimulatedFileSystem forked = machine.fork();
  CHECK(open_file(forked, "log")->lock(LockKind::kExclusive, milliseconds(0)) == true);
  SimulatedFileSystem crashed = machine.crash(kNothingSurvives);
  CHECK(open_file(crashed, "log")->lock(LockKind::kExclusive, milliseconds(0)) == true);

  REQUIRE(second->unlock());
  CHECK(first->lock(LockKind::kExclusive, milliseconds(0)) == true);
  first.reset();
  CHECK(second->lock(LockKind::kExclusive, milliseconds(0)) == true);
}

TEST_CASE("simulation: every boot has another id, and files keep their inodes over it") {
  SimulatedFileSystem machine = machine_with("x");
  SimulatedFileSystem after = machine.crash(kNothingSurvives);
  SimulatedFileSystem again = after.crash(kNothingSurvives);
  CHECK(machine.boot_id().value() != after.boot_id().value());
  CHECK(after.boot_id().value() != again.boot_id().value());
  CHECK(machine.fork().boot_id().value() == machine.boot_id().value());
  CHECK(after.status("/log").inode == machine.status("/log").inode);
}

TEST_CASE("simulation: a crash can be tried after any call") {
  SimulatedFileSystem machine;
  std::vector<std::string> contents;
  machine.observe([&] { contents.push_back(machine.crash(kNothingSurvives).contents("/log")); });
  const auto root = machine.open_directory("/").value();
  const auto log = root->open("log", OpenMode::kCreate).value();
  REQUIRE(root->sync());
  write(*log, 0, "x");
  REQUIRE(log->sync());
  CHECK(contents == std::vector<std::string>{"", "", "", "", "x"});
}

TEST_CASE("simulation: crash plans are every subset when few, else a sample with both ends") {
  SimulatedFileSystem machine = machine_with("");
  CHECK(machine.crash_plans(100).size() == 1);  // nothing is unsynced
  const auto log = open_file(machine, "log");
  write(*log, 0, "x");
  CHECK(machine.crash_plans(100).size() == 1 + 3 * 6);  // a page and the size
  write(*log, 0, std::string(20 * kPageBytes, 'x'));
  const auto plans = machine.crash_plans(10);
  CHECK(plans.size() == 10);
  CHECK(machine.crash(plans[0]).contents("/log") == machine.contents("/log"));
  CHECK(machine.crash(plans[1]).contents("/log").empty());
  CHECK(to_text(plans[1]).find(".tear = Tear::kOld, .keep = 0b0}") != std::string::npos);
}

TEST_CASE("simulation: a crash follows its plan to the byte") {
  SimulatedFileSystem machine = machine_with("");
  const auto log = open_file(machine, "log");
  write(*log, 0, std::string(3 * kPageBytes, 'x'));
  const CrashPlan plan{.seed = 7, .tear = Tear::kGarbage};
  CHECK(machine.crash(plan).contents("/log") == machine.crash(plan).contents("/log"));
}

TEST_CASE("simulation: directories are made and found below each other") {
  SimulatedFileSystem machine;
  REQUIRE(machine.create_directories("/var/lib/work"));
  REQUIRE(machine.create_directories("/var/lib/work"));
  CHECK(machine.crash(kNothingSurvives).exists("/var/lib/work"));
  const auto directory = machine.open_directory("/var/lib/work").value();
  REQUIRE(directory->create_directory("archive"));
  CHECK(directory->create_directory("archive").error().number == EEXIST);
  const auto archive = directory->open_directory("archive").value();
  CHECK(archive->path() == "/var/lib/work/archive");
  REQUIRE(archive->open("b", OpenMode::kCreate));
  REQUIRE(archive->open("a", OpenMode::kCreate));
  CHECK(archive->list() == std::vector<std::string>{"a", "b"});
  CHECK(directory->open("archive", OpenMode::kReadWrite).error().number == EISDIR);
  CHECK(directory->open("none", OpenMode::kRead).error().number == ENOENT);
  CHECK(archive->open("a", OpenMode::kCreateNew).error().number == EEXIST);
  machine.put("/var/file", "");
  CHECK(machine.create_directories("/var/file").error().number == ENOTDIR);
}

TEST_CASE("simulation: other kinds of entries are told apart and not followed") {
  SimulatedFileSystem machine;
  machine.make("/link", FileStatus::Kind::kSymbolicLink);
  machine.make("/fifo", FileStatus::Kind::kOther);
  const auto root = machine.open_directory("/").value();
  CHECK(root->open("link", OpenMode::kRead).error().number == ELOOP);
  CHECK(root->open("fifo", OpenMode::kRead).value()->status().value().kind ==
        FileStatus::Kind::kOther);
  machine.status("/fifo").owner = 7;
  CHECK(root->status("fifo").value().owner == 7);
}

}  // namespace workctl
