// Every bit of a log is flipped, and the log is cut at every length.

#include <doctest/doctest.h>

#include <algorithm>

#include "support/log_machine.h"

namespace workctl {
namespace {

using Texts = std::vector<std::string>;

LogMachine a_log(Texts& notes) {
  LogMachine machine;
  notes = {"first"};
  for (int i = 2; i <= 24; ++i) {
    notes.push_back("note " + std::to_string(i));
    REQUIRE(machine.append(notes.back()));
  }
  return machine;
}

/// Number of the line (from 1) that holds the byte at `offset`, and where it begins.
std::pair<std::ptrdiff_t, std::size_t> line_at(const std::string& log, std::size_t offset) {
  const auto at = log.begin() + static_cast<std::ptrdiff_t>(offset);
  const std::size_t newline = offset == 0 ? std::string::npos : log.rfind('\n', offset - 1);
  return {1 + std::count(log.begin(), at, '\n'), newline == std::string::npos ? 0 : newline + 1};
}

TEST_CASE("flipped bytes: every flipped bit below the mark is refused, at its line and byte") {
  Texts notes;
  LogMachine machine = a_log(notes);
  const std::string log = machine.log();
  std::uint64_t flipped = 0;
  for (std::size_t offset = 0; offset < log.size(); ++offset) {
    const auto [line, begin] = line_at(log, offset);
    const std::string place = "line " + std::to_string(line) + " (byte " + std::to_string(begin);
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = log;
      bad[offset] = static_cast<char>(bad[offset] ^ (1 << bit));
      machine.set_log(bad);
      const auto refused = machine.read();
      ++flipped;
      if (refused || machine.log() != bad) FAIL("byte " << offset << " bit " << bit);
      // The version in a header that asks for a newer format is believed: nothing is touched then.
      const bool newer = refused.error().code == errc::kStoreTooNew && line == 1;
      if (newer) continue;
      if (refused.error().code != errc::kStoreDamaged ||
          refused.error().message.find(place) == std::string::npos) {
        FAIL("byte " << offset << " bit " << bit << ": " << refused.error().message);
      }
    }
  }
  MESSAGE(flipped << " bits flipped in " << log.size() << " bytes");
}

TEST_CASE("flipped bytes: a writer refuses what a reader refuses, and changes nothing") {
  Texts notes;
  LogMachine machine = a_log(notes);
  const std::string log = machine.log();
  for (std::size_t offset = 0; offset < log.size(); offset += 7) {
    std::string bad = log;
    bad[offset] = static_cast<char>(bad[offset] ^ 1);
    machine.set_log(bad);
    const auto refused = machine.settle();
    if (refused || machine.log() != bad) FAIL("byte " << offset);
  }
  CHECK(machine.archived().empty());
}

TEST_CASE("flipped bytes: a log cut below its mark is refused, above it healed") {
  Texts notes;
  LogMachine machine = a_log(notes);
  const std::string mark = machine.mark();
  REQUIRE(machine.append("last"));
  const std::string log = machine.log();
  const std::size_t marked = log.rfind('\n', log.size() - 2) + 1;
  for (std::size_t length = 0; length < log.size(); ++length) {
    LogMachine cut(machine.machine().fork());
    cut.set_mark(mark);
    cut.set_log(log.substr(0, length));
    const auto found = cut.settle();
    if (length < marked) {
      if (found) FAIL("cut at " << length << " was taken");
      if (cut.log() != log.substr(0, length)) FAIL("cut at " << length << " was changed");
    } else {
      if (!found) FAIL("cut at " << length << ": " << found.error().message);
      if (*found != notes) FAIL("cut at " << length << " lost or made a note");
      if (cut.log() != log.substr(0, marked)) FAIL("cut at " << length << " was not healed");
    }
  }
}

}  // namespace
}  // namespace workctl
