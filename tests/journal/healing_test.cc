// What a writer may not believe while it heals the end of a log.

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>

#include "support/log_machine.h"

namespace workctl {
namespace {

using Texts = std::vector<std::string>;

/// A machine whose third note was written and, as its sync failed, is only in the cache.
LogMachine unsynced_note() {
  LogMachine machine;
  REQUIRE(machine.append("second"));
  machine.machine().fail("fdatasync", 1, EIO);
  CHECK(machine.append("third").error().code == errc::kOutcomeUnknown);
  machine.machine().stop_failing();
  return machine;
}

bool any_failed_since(LogMachine& machine, std::uint64_t call) {
  const auto& calls = machine.machine().log();
  return std::any_of(calls.begin() + static_cast<std::ptrdiff_t>(call), calls.end(),
                     [](const std::string& made) { return made.ends_with("errno 5"); });
}

TEST_CASE("healing: a line that cannot be read or written again is not taken for durable") {
  for (const std::string call : {"pread", "pwrite", "fdatasync"}) {
    CAPTURE(call);
    int refused = 0;
    for (std::uint64_t nth = 1;; ++nth) {
      CAPTURE(nth);
      LogMachine machine = unsynced_note();
      const std::uint64_t before = machine.machine().calls();
      machine.machine().fail(call, nth, EIO);
      const auto settled = machine.settle();
      const bool failed = any_failed_since(machine, before);
      machine.machine().stop_failing();
      LogMachine after(machine.machine().crash({.keep = 0}));
      const auto found = after.settle();
      REQUIRE_MESSAGE(found, found.error().message);
      if (settled) {
        CHECK(*settled == Texts{"first", "second", "third"});
        CHECK(*found == *settled);
      } else {
        ++refused;
      }
      if (!failed) break;
    }
    CHECK(refused > 0);
  }
}

TEST_CASE("healing: a torn end is cut off only when it is safe in archive/") {
  for (const std::string call : {"pread", "pwrite", "fdatasync", "fsync"}) {
    CAPTURE(call);
    int refused = 0;
    for (std::uint64_t nth = 1;; ++nth) {
      CAPTURE(nth);
      LogMachine machine;
      REQUIRE(machine.append("second"));
      const std::string whole = machine.log();
      const std::string torn = "{\"commits\":[{\"revision\":3";
      machine.set_log(whole + torn);
      const std::uint64_t before = machine.machine().calls();
      machine.machine().fail(call, nth, EIO);
      if (!machine.settle()) ++refused;
      const bool failed = any_failed_since(machine, before);
      machine.machine().stop_failing();
      LogMachine after(machine.machine().crash({.keep = 0}));
      if (after.log() != whole + torn) {
        REQUIRE(after.archived().size() == 1);
        CHECK(after.machine().contents("/store/archive/" + after.archived().front()) == torn);
      }
      CHECK(after.settle() == Texts{"first", "second"});
      CHECK(after.log() == whole);
      if (!failed) break;
    }
    CHECK(refused > 0);
  }
}

TEST_CASE("healing: a mark whose check differs is none, whatever it says") {
  LogMachine machine;
  REQUIRE(machine.append("second"));
  std::string mark = machine.mark();
  const std::size_t size = mark.find("\"size\":") + 7;
  mark[size] = '9';  // more than there is
  machine.set_mark(mark);
  CHECK(machine.read() == Texts{"first", "second"});
  CHECK(machine.settle() == Texts{"first", "second"});
  CHECK(machine.mark() != mark);
}

}  // namespace
}  // namespace workctl
