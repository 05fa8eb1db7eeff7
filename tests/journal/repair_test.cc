// Giving up the end of a log that writers refuse.

#include "workctl/journal/repair.h"

#include <doctest/doctest.h>

#include <cerrno>

#include "support/damage.h"
#include "support/log_machine.h"

namespace workctl {
namespace {

using Texts = std::vector<std::string>;

Result<std::optional<DroppedTail>> drop(LogMachine& machine, Directory& directory) {
  Notes notes;
  return drop_tail(directory, {.actor = "human:ada", .at = 7}, notes,
                   {.file_system = &machine.machine()}, std::chrono::milliseconds(0));
}

Result<std::optional<DroppedTail>> drop(LogMachine& machine) {
  const auto directory = machine.machine().open_directory("/store").value();
  return drop(machine, *directory);
}

LogMachine four_notes() {
  LogMachine machine;
  for (const char* note : {"second", "third", "fourth"}) REQUIRE(machine.append(note));
  return machine;
}

/// `four_notes` with a byte changed in the line of this number, from 1.
LogMachine damaged_at(std::size_t line) {
  LogMachine machine = four_notes();
  auto lines = split_lines(machine.log());
  std::string& bad = lines.at(line - 1);
  bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 1);
  machine.set_log(join_lines(lines));
  return machine;
}

TEST_CASE("repair: a sound log is left as it is") {
  LogMachine machine = four_notes();
  const std::string log = machine.log();
  CHECK_FALSE(drop(machine).value());
  CHECK(machine.log() == log);
  machine.set_log(log + "{\"commits\":[");
  CHECK_FALSE(drop(machine).value());
  CHECK(machine.log() == log + "{\"commits\":[");
}

TEST_CASE("repair: what comes before the damage goes on, and the damaged log is kept") {
  LogMachine machine = damaged_at(4);
  const std::string damaged = machine.log();
  REQUIRE_FALSE(machine.settle());
  const auto dropped = drop(machine);
  REQUIRE(dropped);
  REQUIRE(*dropped);
  const auto lines = split_lines(damaged);
  CHECK((*dropped)->bytes == lines[3].size() + lines[4].size());
  CHECK((*dropped)->found.lines == 3);
  CHECK((*dropped)->repair_revision == 3);
  CHECK(machine.machine().contents("/store/" + (*dropped)->kept_as) == damaged);
  CHECK(machine.settle() == Texts{"first", "second"});
  REQUIRE(machine.append("after"));
  CHECK(machine.settle() == Texts{"first", "second", "after"});
  CHECK(LogMachine(machine.machine().crash({.keep = 0})).settle() ==
        Texts{"first", "second", "after"});
}

TEST_CASE("repair: a commit without writes records who gave up what") {
  LogMachine machine = damaged_at(3);
  const auto dropped = drop(machine).value().value();
  const Json line = parse_json(split_lines(machine.log()).back(), "line").value();
  const Json& commit = line.at("commits").at(0);
  CHECK(commit.at("revision") == dropped.repair_revision);
  CHECK(commit.at("at") == 7);
  CHECK(commit.at("writes").empty());
  const Json& audit = commit.at("audit").at(0);
  CHECK(audit.at("kind") == "store.repaired");
  CHECK(audit.at("subject") == "human:ada");
  CHECK(audit.at("dropped_bytes") == dropped.bytes);
  CHECK(audit.at("dropped_from_line") == 3);
  CHECK(audit.at("kept_as") == dropped.kept_as);
}

TEST_CASE("repair: a log that lost its end is taken as it is") {
  LogMachine machine = four_notes();
  auto lines = split_lines(machine.log());
  lines.pop_back();
  machine.set_log(join_lines(lines));
  REQUIRE_FALSE(machine.settle());
  CHECK(drop(machine).value()->bytes == 0);
  CHECK(machine.settle() == Texts{"first", "second", "third"});
}

TEST_CASE("repair: a log that is not the one which was known durable is taken as it is") {
  LogMachine other = four_notes();
  LogMachine machine;
  REQUIRE(machine.append("another second"));
  for (int i = 0; i < 9; ++i) REQUIRE(machine.append("more"));
  machine.set_mark(other.mark());
  REQUIRE_FALSE(machine.settle());
  const auto dropped = drop(machine).value();
  REQUIRE(dropped);
  CHECK(dropped->bytes == 0);
  CHECK(machine.settle().value().size() == 11);
}

TEST_CASE("repair: a log without a header, or of a newer format, is refused and left") {
  LogMachine machine = damaged_at(1);
  std::string log = machine.log();
  const auto refused = drop(machine);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == errc::kStoreDamaged);
  CHECK(machine.log() == log);

  LogMachine newer = four_notes();
  log = newer.log() + "unknown\n";
  newer.set_log("{\"workctl_log\":9" + log.substr(16));
  log = newer.log();
  REQUIRE_FALSE(drop(newer));
  CHECK(newer.log() == log);
  CHECK(newer.archived().empty());
}

TEST_CASE("repair: a failed call leaves the damaged log, or says that nobody knows") {
  for (const int number : {EIO, ENOSPC, EACCES}) {
    for (std::uint64_t nth = 1;; ++nth) {
      LogMachine machine = damaged_at(4);
      const std::string damaged = machine.log();
      const auto directory = machine.machine().open_directory("/store").value();
      const std::uint64_t before = machine.machine().calls();
      machine.machine().fail(nth, number);
      const auto dropped = drop(machine, *directory);
      const bool reached = machine.machine().calls() - before >= nth;
      machine.machine().stop_failing();
      CAPTURE(machine.machine().log().back());
      if (!dropped && dropped.error().code != errc::kOutcomeUnknown) {
        CHECK(machine.log() == damaged);
        REQUIRE(drop(machine));
      }
      CHECK(machine.settle() == Texts{"first", "second"});
      if (!reached) break;
    }
  }
}

}  // namespace
}  // namespace workctl
