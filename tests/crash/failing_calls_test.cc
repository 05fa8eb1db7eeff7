// Every call of a commit fails, once and from then on, with every error that it can have.

#include <doctest/doctest.h>

#include <cerrno>

#include "support/log_machine.h"

namespace workctl {
namespace {

using Texts = std::vector<std::string>;

/// What an append that ended with `outcome` may have left, seen by the next writer and by the one
/// after a power cut that lost everything that was not synced.
void check_left(LogMachine& machine, const Result<void>& outcome, const Texts& before,
                const std::string& note) {
  machine.machine().stop_failing();
  Texts with_note = before;
  with_note.push_back(note);
  const auto allowed = [&](const Texts& found) {
    if (outcome) return found == with_note;
    if (outcome.error().code == errc::kOutcomeUnknown) return found == before || found == with_note;
    return found == before;
  };
  const auto lost = LogMachine(machine.machine().crash({.keep = 0})).settle();
  REQUIRE_MESSAGE(lost, lost.error().message);
  CHECK(allowed(*lost));
  const auto found = machine.settle();
  REQUIRE_MESSAGE(found, found.error().message);
  CHECK(allowed(*found));
  REQUIRE(machine.append("later"));
  machine.machine().drop_clean_pages();
  Texts later = *found;
  later.emplace_back("later");
  CHECK(machine.settle() == later);
  CHECK(LogMachine(machine.machine().crash({.keep = 0})).settle() == later);
}

template <class Break>
std::uint64_t fail_every_call(const Break& break_call) {
  std::uint64_t failed = 0;
  const std::string note(9000, 'n');
  for (std::uint64_t nth = 1;; ++nth) {
    LogMachine machine;
    REQUIRE(machine.append("second"));
    const std::uint64_t before = machine.machine().calls();
    break_call(machine.machine(), nth);
    const auto outcome = machine.append(note);
    const std::uint64_t made = machine.machine().calls() - before;
    CAPTURE(nth);
    const std::string last = machine.machine().log().back();
    CAPTURE(last);
    check_left(machine, outcome, {"first", "second"}, note);
    if (made < nth) return failed;
    ++failed;
  }
}

TEST_CASE("failing calls: a commit whose n-th call fails says truly what became of it") {
  std::uint64_t failed = 0;
  for (const Failure failure : {Failure::kOnce, Failure::kFromThenOn}) {
    for (const int number : {EIO, ENOSPC, EDQUOT, EINTR, EACCES, EROFS}) {
      if (number == EINTR && failure == Failure::kFromThenOn) continue;  // a call that never ends
      CAPTURE(number);
      failed += fail_every_call(
          [&](SimulatedFileSystem& fs, std::uint64_t nth) { fs.fail(nth, number, failure); });
    }
  }
  CHECK(failed > 100);
  MESSAGE(failed << " calls failed");
}

TEST_CASE("failing calls: short reads and writes change nothing") {
  for (const Failure failure : {Failure::kOnce, Failure::kFromThenOn}) {
    for (std::uint64_t nth = 1; nth < 40; ++nth) {
      LogMachine machine;
      REQUIRE(machine.append("second"));
      machine.machine().shorten(nth, failure);
      CHECK(machine.append(std::string(9000, 'n')));
      machine.machine().stop_failing();
      CHECK(machine.settle() == Texts{"first", "second", std::string(9000, 'n')});
    }
  }
}

}  // namespace
}  // namespace workctl
