#include "workctl/journal/journal.h"

#include <doctest/doctest.h>

#include <cerrno>

#include "support/log_machine.h"

namespace workctl {
namespace {

using Texts = std::vector<std::string>;
constexpr std::chrono::milliseconds kNoWait{0};

/// Writes to the log at or after `offset`.
int count_writes(LogMachine& machine, std::size_t offset) {
  int count = 0;
  for (const std::string& call : machine.machine().log()) {
    const std::size_t at = call.find(" at ");
    if (call.starts_with("pwrite /store/work.jsonl ") &&
        std::stoull(call.substr(at + 4)) >= offset) {
      ++count;
    }
  }
  return count;
}

TEST_CASE("journal: what one process appends, every other reads") {
  LogMachine machine;
  const auto reader = machine.open().value();
  Notes notes;
  REQUIRE(reader->catch_up(notes));
  CHECK(notes.texts == Texts{"first"});
  REQUIRE(machine.append("second"));
  REQUIRE(reader->catch_up(notes));
  CHECK(notes.texts == Texts{"first", "second"});
  CHECK(reader->position().revision == 2);
  CHECK(reader->position().line == 3);
  CHECK(reader->position().offset == machine.log().size());
}

TEST_CASE("journal: an acknowledged line survives a power cut that loses all else") {
  LogMachine machine;
  REQUIRE(machine.append("second"));
  LogMachine after(machine.machine().crash({.keep = 0}));
  CHECK(after.settle() == Texts{"first", "second"});
}

TEST_CASE("journal: a writer answers only after write, sync and mark, in this order") {
  LogMachine machine;
  const std::size_t before = machine.machine().log().size();
  REQUIRE(machine.append("second"));
  Texts touching;
  for (std::size_t i = before; i < machine.machine().log().size(); ++i) {
    const std::string& call = machine.machine().log()[i];
    for (const char* name :
         {"pwrite /store/work.jsonl", "fdatasync /store/work.jsonl", "pwrite /store/work.mark"}) {
      if (call.starts_with(name)) touching.push_back(name);
    }
  }
  // The first write, sync and mark are those of a store that had no mark yet.
  CHECK(touching == Texts{"pwrite /store/work.jsonl", "fdatasync /store/work.jsonl",
                          "pwrite /store/work.mark", "pwrite /store/work.jsonl",
                          "fdatasync /store/work.jsonl", "pwrite /store/work.mark"});
}

TEST_CASE("journal: the lock excludes, names its holder, and dies with its process") {
  LogMachine machine;
  auto holder = machine.open().value();
  REQUIRE(holder->lock(kNoWait));
  const auto refused = machine.append("second");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == errc::kStoreBusy);
  CHECK(refused.error().message.find("held by process ") != std::string::npos);
  CHECK(machine.read() == Texts{"first"});
  holder.reset();
  CHECK(machine.append("second"));
}

TEST_CASE("journal: a lock file that was unlinked under its holder is noticed by the next") {
  LogMachine machine;
  const auto holder = machine.open().value();
  REQUIRE(holder->lock(kNoWait));
  auto directory = machine.machine().open_directory("/store").value();
  REQUIRE(directory->remove(kLockName));
  // Nothing can be done about the one who did that; but a lock that is taken is the one that is
  // named.
  const auto next = machine.open().value();
  REQUIRE(next->lock(kNoWait));
  CHECK(machine.machine().exists("/store/work.lock"));
}

TEST_CASE("journal: appending needs the lock and having caught up under it") {
  LogMachine machine;
  const auto journal = machine.open().value();
  CHECK(journal->append(note_line(2, "x")).error().code == errc::kBug);
  REQUIRE(journal->lock(kNoWait));
  CHECK(journal->append(note_line(2, "x")).error().code == errc::kBug);
  CHECK(journal->lock(kNoWait).error().code == errc::kBug);
}

TEST_CASE("journal: a full disk commits nothing and leaves the log as it was") {
  for (const int number : {ENOSPC, EDQUOT, EIO}) {
    LogMachine machine;
    REQUIRE(machine.settle());
    const std::string log = machine.log();
    machine.machine().fail("pwrite", 2, number);  // the first is the holder's name in the lock file
    const auto refused = machine.append("second");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::kIoFailure);
    CHECK(refused.error().message.find("nothing was changed") != std::string::npos);
    CHECK(machine.log() == log);
    CHECK(machine.append("second"));
  }
}

TEST_CASE("journal: a write that stops half-way for want of space is cut back") {
  LogMachine machine;
  REQUIRE(machine.settle());
  const std::string log = machine.log();
  const auto journal = machine.open().value();
  Notes notes;
  REQUIRE(journal->lock(kNoWait));
  REQUIRE(journal->catch_up(notes));
  machine.machine().shorten(1);
  machine.machine().fail("pwrite", 2, ENOSPC);
  const auto refused = journal->append(note_line(2, "second"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == errc::kIoFailure);
  CHECK(count_writes(machine, log.size()) == 2);
  CHECK(machine.log() == log);
}

TEST_CASE("journal: short writes and interrupted calls are gone on with") {
  LogMachine machine;
  REQUIRE(machine.settle());
  machine.machine().shorten(1, Failure::kFromThenOn);
  REQUIRE(machine.append("second"));
  machine.machine().stop_failing();
  machine.machine().fail("pwrite", 2, EINTR);
  REQUIRE(machine.append("third"));
  CHECK(machine.settle() == Texts{"first", "second", "third"});
}

TEST_CASE("journal: when the half-written line cannot be cut off, the outcome is unknown") {
  LogMachine machine;
  REQUIRE(machine.settle());
  machine.machine().fail("pwrite", 2, EIO);
  machine.machine().fail("ftruncate", 1, EIO);
  CHECK(machine.append("second").error().code == errc::kOutcomeUnknown);
  CHECK(machine.append("third"));
}

TEST_CASE("journal: a mark that cannot be written is noted and loses nothing") {
  LogMachine machine;
  REQUIRE(machine.settle());
  machine.machine().fail("pwrite", 3, ENOSPC);
  REQUIRE(machine.append("second"));
  REQUIRE(machine.notices.size() == 1);
  CHECK(machine.notices[0].find("work.mark") != std::string::npos);
  CHECK(machine.append("third"));
  CHECK(machine.settle() == Texts{"first", "second", "third"});
}

TEST_CASE("journal: a log that was replaced is read from its start") {
  LogMachine machine;
  const auto reader = machine.open().value();
  Notes notes;
  REQUIRE(reader->catch_up(notes));
  LogMachine other;
  REQUIRE(other.append("other"));
  machine.machine().put("/store/next", other.log());
  const auto directory = machine.machine().open_directory("/store").value();
  REQUIRE(directory->rename("next", kLogName));
  REQUIRE(reader->catch_up(notes));
  CHECK(notes.resets == 1);
  CHECK(notes.texts == Texts{"first", "other"});
}

TEST_CASE("journal: a store is made once, whole, and a killed init leaves nothing in the way") {
  LogMachine machine;
  const auto directory = machine.machine().open_directory("/store").value();
  const std::string log = machine.log();
  bool prepared = false;
  const auto create = [&] {
    return Journal::create(
        *directory, {}, note_line(1, "again"),
        [&] {
          prepared = true;
          return Result<void>();
        },
        {.file_system = &machine.machine()}, kNoWait);
  };
  CHECK_FALSE(create().value());
  CHECK_FALSE(prepared);
  CHECK(machine.log() == log);
  REQUIRE(directory->remove(kLogName));
  machine.machine().put("/store/work.jsonl.new", "half a hea");
  CHECK(create().value());
  CHECK(prepared);
  CHECK(machine.settle() == Texts{"again"});
}

TEST_CASE("journal: files that are not ours alone are refused") {
  const auto refused = [](const std::function<void(SimulatedFileSystem&)>& meddle) {
    LogMachine machine;
    REQUIRE(machine.settle());
    meddle(machine.machine());
    const std::string log = machine.log();
    const auto result = machine.append("second");
    CHECK((machine.log() == log) == !result);
    return result ? ErrorCode{"none"} : result.error().code;
  };
  for (const char* name : {"/store/work.jsonl", "/store/work.lock", "/store/work.mark"}) {
    CAPTURE(name);
    CHECK(refused([&](auto& fs) { fs.status(name).owner = 7; }) == errc::kStoreUnsafe);
    CHECK(refused([&](auto& fs) { fs.status(name).links = 2; }) == errc::kStoreUnsafe);
    CHECK(refused([&](auto& fs) { fs.status(name).mode = 0622; }) == errc::kStoreUnsafe);
    CHECK(refused([&](auto& fs) { fs.status(name).kind = FileStatus::Kind::kOther; }) ==
          errc::kStoreUnsafe);
  }
  // What open(2) says of a socket.
  CHECK(refused([&](auto& fs) { fs.fail("openat", 2, ENXIO, Failure::kFromThenOn); }) ==
        errc::kStoreUnsafe);
  CHECK(refused([](auto& fs) { fs.status("/store").mode = 0777; }) == errc::kStoreUnsafe);
  CHECK(refused([](auto& fs) { fs.status("/store").owner = 7; }) == errc::kStoreUnsafe);
  CHECK(refused([](auto& fs) { fs.status("/store").mode = 01777; }) == ErrorCode{"none"});
}

}  // namespace
}  // namespace workctl
