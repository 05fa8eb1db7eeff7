// Every bit of a log is flipped, and the log is cut at every length.

#include <doctest/doctest.h>

#include <algorithm>

#include "support/damage.h"
#include "support/log_machine.h"
#include "support/settings.h"

namespace workctl {
namespace {

using Texts = std::vector<std::string>;

/// Of the log that is damaged here, its header included.
constexpr std::size_t kLines = 25;

LogMachine a_log(Texts& notes) {
  LogMachine machine;
  notes = {"first"};
  for (std::size_t i = 2; i < kLines; ++i) {
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

/// 1: every bit is flipped and every length tried. More: only one bit in so many, and as few
/// lengths.
std::size_t step() { return std::max<std::uint64_t>(setting("WORKCTL_FLIP_STEP", 1), 1); }

std::ptrdiff_t as_distance(std::size_t count) { return static_cast<std::ptrdiff_t>(count); }

TEST_CASE("flipped bytes: every flipped bit below the mark is refused, at its line and byte") {
  Texts notes;
  LogMachine machine = a_log(notes);
  const std::string log = machine.log();
  std::uint64_t flipped = 0;
  for (std::size_t bit = 0; bit < 8 * log.size(); bit += step()) {
    const std::size_t offset = bit / 8;
    const auto [line, begin] = line_at(log, offset);
    std::string place = "line " + std::to_string(line) + " (byte " + std::to_string(begin);
    // Line 1 is the header, which a reader refuses before it knows of revisions.
    if (line > 1) place += ", after revision " + std::to_string(line - 2) + ")";
    std::string bad = log;
    bad[offset] = static_cast<char>(bad[offset] ^ (1 << bit % 8));
    machine.set_log(bad);
    const auto refused = machine.read();
    ++flipped;
    CAPTURE(bit);
    REQUIRE_FALSE(refused);
    REQUIRE(machine.log() == bad);
    // The version in a header that asks for a newer format is believed: nothing is touched then.
    if (refused.error().code == errc::kStoreTooNew && line == 1) continue;
    REQUIRE(refused.error().code == errc::kStoreDamaged);
    REQUIRE_MESSAGE(refused.error().message.find(place) != std::string::npos,
                    refused.error().message);
  }
  MESSAGE(flipped << " bits flipped in " << log.size() << " bytes");
}

TEST_CASE("flipped bytes: a writer refuses what a reader refuses, and changes nothing") {
  Texts notes;
  LogMachine machine = a_log(notes);
  const std::string log = machine.log();
  for (std::size_t offset = 0; offset < log.size(); offset += 6 + step()) {
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
  for (std::size_t length = 0; length < log.size(); length += (step() + 7) / 8) {
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

/// Puts `lines` in the place of a log and demands that readers and writers refuse it at the line of
/// this number, changing nothing.
void check_refused_at(LogMachine& machine, const std::vector<std::string>& lines,
                      std::size_t number) {
  CAPTURE(number);
  const std::string bad = join_lines(lines);
  const std::size_t offset =
      join_lines({lines.begin(), lines.begin() + as_distance(number - 1)}).size();
  // Revision N is in line N + 1: all lines before the bad one are as they were.
  const std::string place = "line " + std::to_string(number) + " (byte " + std::to_string(offset) +
                            ", after revision " + std::to_string(number < 2 ? 0 : number - 2) + ")";
  machine.set_log(bad);
  std::vector<Result<Texts>> answers{machine.settle()};
  // What comes after all that was acknowledged is for a writer to judge.
  if (number <= kLines) answers.push_back(machine.read());
  for (const auto& refused : answers) {
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::kStoreDamaged);
    CHECK_MESSAGE(refused.error().message.find(place) != std::string::npos,
                  refused.error().message);
  }
  CHECK(machine.log() == bad);
}

/// A log with the same store id and as many lines, but other notes.
std::vector<std::string> lines_of_another_log() {
  LogMachine other;
  for (std::size_t i = 2; i < kLines; ++i) REQUIRE(other.append("NOTE " + std::to_string(i)));
  return split_lines(other.log());
}

TEST_CASE(
    "moved lines: one removed, repeated, swapped or from another log is refused at its place") {
  Texts notes;
  LogMachine machine = a_log(notes);
  const auto lines = split_lines(machine.log());
  const auto others = lines_of_another_log();
  REQUIRE(others.size() == lines.size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    auto removed = lines;
    removed.erase(removed.begin() + as_distance(i));
    check_refused_at(machine, removed, i + 1);
    auto repeated = lines;
    repeated.insert(repeated.begin() + as_distance(i), lines[i]);
    check_refused_at(machine, repeated, i + 2);
    auto replaced = lines;
    replaced[i] = others[i];
    // Both logs begin with the same two lines, so that either's third may follow.
    if (i > 1) check_refused_at(machine, replaced, i == 2 ? 4 : i + 1);
    auto inserted = lines;
    inserted.insert(inserted.begin() + as_distance(i), others.back());
    check_refused_at(machine, inserted, i + 1);
    if (i + 1 == lines.size()) continue;
    auto swapped = lines;
    std::swap(swapped[i], swapped[i + 1]);
    check_refused_at(machine, swapped, i + 1);
  }
}

TEST_CASE("moved lines: without a mark, all but a missing end is refused all the same") {
  Texts notes;
  LogMachine machine = a_log(notes);
  const auto lines = split_lines(machine.log());
  machine.set_mark("");
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    auto removed = lines;
    removed.erase(removed.begin() + as_distance(i));
    machine.set_log(join_lines(removed));
    const auto refused = machine.settle();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::kStoreDamaged);
  }
}

}  // namespace
}  // namespace workctl
