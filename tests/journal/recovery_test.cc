// The recovery table of workctl-log(5), row by row.

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>

#include "journal/line_codec.h"
#include "support/log_machine.h"

namespace workctl {
namespace {

using Texts = std::vector<std::string>;

/// A machine with notes "first", "second" and "third", each acknowledged.
LogMachine three_notes() {
  LogMachine machine;
  REQUIRE(machine.append("second"));
  REQUIRE(machine.append("third"));
  return machine;
}

/// Where the `n`th line from the end begins (1: the last).
std::size_t line_from_end(const std::string& log, int n) {
  std::size_t at = log.size();
  while (n-- > 0) at = log.rfind('\n', at - 2) + 1;
  return at;
}

/// How often a call with this beginning was made.
std::ptrdiff_t count_calls(const LogMachine& machine, const std::string& beginning) {
  const auto& log = const_cast<LogMachine&>(machine).machine().log();
  return std::count_if(log.begin(), log.end(),
                       [&](const std::string& call) { return call.starts_with(beginning); });
}

/// Writers and `settle` refuse with this code, naming `place`, and no byte changes.
void check_refused(LogMachine& machine, ErrorCode code, const std::string& place) {
  const std::string log = machine.log();
  const std::string mark = machine.mark();
  const auto refused = machine.append("more");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == code);
  CHECK_MESSAGE(refused.error().message.find(place) != std::string::npos, refused.error().message);
  CHECK(machine.log() == log);
  CHECK(machine.mark() == mark);
  CHECK(machine.archived().empty());
}

TEST_CASE("recovery: a clean log is left as it is") {
  LogMachine machine = three_notes();
  const std::string log = machine.log();
  const auto writes = count_calls(machine, "pwrite /store/work.jsonl");
  CHECK(machine.settle() == Texts{"first", "second", "third"});
  CHECK(machine.log() == log);
  CHECK(count_calls(machine, "pwrite /store/work.jsonl") == writes);
  CHECK(machine.notices.empty());
}

TEST_CASE("recovery: in the same boot, what is beyond the mark is written again and synced") {
  LogMachine machine = three_notes();
  const std::string mark = machine.mark();
  REQUIRE(machine.append("fourth"));
  machine.set_mark(mark);  // as if the writer died between its sync and its mark
  const std::string log = machine.log();
  const auto writes = count_calls(machine, "pwrite /store/work.jsonl");
  const auto syncs = count_calls(machine, "fdatasync /store/work.jsonl");
  CHECK(machine.settle() == Texts{"first", "second", "third", "fourth"});
  CHECK(machine.log() == log);
  CHECK(count_calls(machine, "pwrite /store/work.jsonl") == writes + 1);
  CHECK(count_calls(machine, "fdatasync /store/work.jsonl") == syncs + 1);
  CHECK(machine.mark() != mark);
}

TEST_CASE(
    "recovery: a failed sync is an unknown outcome, and the next writer really writes again") {
  LogMachine machine = three_notes();
  machine.machine().fail("fdatasync", 1, EIO);
  const auto unknown = machine.append("fourth");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == errc::kOutcomeUnknown);
  REQUIRE(machine.append("fifth"));
  // The kernel held the failed pages to be clean: whoever only synced again has nothing on the
  // medium.
  machine.machine().drop_clean_pages();
  CHECK(machine.settle() == Texts{"first", "second", "third", "fourth", "fifth"});
  CHECK(LogMachine(machine.machine().crash({.keep = 0})).settle() ==
        Texts{"first", "second", "third", "fourth", "fifth"});
}

TEST_CASE("recovery: after a failed sync the same handle refuses to go on") {
  LogMachine machine = three_notes();
  const auto journal = machine.open().value();
  machine.machine().fail("fdatasync", 1, EIO);
  CHECK(LogMachine::append(*journal, "fourth").error().code == errc::kOutcomeUnknown);
  CHECK(LogMachine::append(*journal, "fifth").error().code == errc::kOutcomeUnknown);
}

TEST_CASE("recovery: after another boot, what is beyond the mark made it and is not touched") {
  LogMachine machine = three_notes();
  const std::string mark = machine.mark();
  REQUIRE(machine.append("fourth"));
  machine.set_mark(mark);
  LogMachine after(machine.machine().crash({.keep = ~std::uint64_t{0}}));
  CHECK(after.settle() == Texts{"first", "second", "third", "fourth"});
  CHECK(count_calls(after, "pwrite /store/work.jsonl") == 0);
  CHECK(after.mark() != mark);
}

TEST_CASE("recovery: without a mark the last line is written again and a mark is made") {
  for (const std::string& mark : {std::string(), std::string("garbage"), std::string(512, '\0')}) {
    LogMachine machine = three_notes();
    const std::string before = machine.mark();
    machine.set_mark(mark);
    const auto writes = count_calls(machine, "pwrite /store/work.jsonl");
    CHECK(machine.settle() == Texts{"first", "second", "third"});
    CHECK(count_calls(machine, "pwrite /store/work.jsonl") == writes + 1);
    CHECK(machine.mark() == before);
  }
}

TEST_CASE("recovery: a log that ends before its mark has lost acknowledged data") {
  LogMachine machine = three_notes();
  const std::string log = machine.log();
  const std::size_t third = line_from_end(log, 1);
  machine.set_log(log.substr(0, third));
  check_refused(machine, errc::kStoreDamaged, "line 4 (byte " + std::to_string(third));
  machine.set_log(log.substr(0, log.size() - 1));
  check_refused(machine, errc::kStoreDamaged, "line 4 (byte " + std::to_string(third));
}

TEST_CASE("recovery: a line before the mark that does not verify is damage, also for readers") {
  LogMachine machine = three_notes();
  std::string log = machine.log();
  const std::size_t second = line_from_end(log, 2);
  log[second + 20] ^= 1;
  machine.set_log(log);
  check_refused(machine, errc::kStoreDamaged,
                "line 3 (byte " + std::to_string(second) + ", after revision 1)");
  CHECK(machine.read().error().code == errc::kStoreDamaged);
}

TEST_CASE("recovery: another log of the same length in this one's place is damage") {
  LogMachine machine = three_notes();
  LogMachine other;
  REQUIRE(other.append("sEcond"));
  REQUIRE(other.append("tHird"));
  REQUIRE(other.log().size() == machine.log().size());
  machine.set_log(other.log());
  check_refused(machine, errc::kStoreDamaged, "differs");
}

TEST_CASE("recovery: a mark within a line of the log is of another log") {
  LogMachine other = three_notes();
  LogMachine machine;
  REQUIRE(machine.append("another second note"));
  REQUIRE(machine.append("another third note"));
  machine.set_mark(other.mark());
  check_refused(machine, errc::kStoreDamaged, "differs");
  REQUIRE_FALSE(machine.read());
}

TEST_CASE("recovery: a write that did not finish is set aside, and said so") {
  const LogMachine whole = three_notes();
  for (const std::string& torn :
       {std::string("{"), std::string("{\"commits\":[{\"rev"), std::string(700, '\0'),
        std::string("{\"commits\":[") + std::string(50, '\0') + "}\n",
        std::string(9000, 'x') + std::string("\0\n", 2)}) {
    LogMachine machine = three_notes();
    machine.set_log(whole.log() + torn);
    CAPTURE(torn);
    CHECK(machine.settle() == Texts{"first", "second", "third"});
    CHECK(machine.log() == whole.log());
    REQUIRE(machine.archived().size() == 1);
    CHECK(machine.machine().contents("/store/archive/" + machine.archived()[0]) == torn);
    REQUIRE(machine.notices.size() == 1);
    CHECK(machine.notices[0].find(std::to_string(torn.size()) + " bytes") != std::string::npos);
    REQUIRE(machine.append("fourth"));
    CHECK(machine.settle() == Texts{"first", "second", "third", "fourth"});
  }
}

TEST_CASE("recovery: setting a torn end aside twice leaves one copy") {
  LogMachine machine = three_notes();
  const std::string log = machine.log();
  for (int i = 0; i < 2; ++i) {
    machine.set_log(log + "{\"torn");
    REQUIRE(machine.settle());
  }
  CHECK(machine.archived().size() == 1);
}

TEST_CASE("recovery: what was set aside outlives a power cut that loses all else") {
  LogMachine machine = three_notes();
  const std::string log = machine.log();
  machine.set_log(log + "{\"torn");
  REQUIRE(machine.settle());
  LogMachine after(machine.machine().crash({.keep = 0}));
  CHECK(after.log() == log);
  REQUIRE(after.archived().size() == 1);
  CHECK(after.machine().contents("/store/archive/" + after.archived()[0]) == "{\"torn");
}

TEST_CASE("recovery: a complete last line that does not verify cannot be told from damage") {
  LogMachine machine = three_notes();
  const std::string log = machine.log();
  machine.set_log(log + "{\"commits\":[]}\n");
  check_refused(machine, errc::kStoreDamaged,
                "line 5 (byte " + std::to_string(log.size()) + ", after revision 3)");
  CHECK(machine.read() == Texts{"first", "second", "third"});
}

TEST_CASE("recovery: a bad line before a good one is damage whatever the mark says") {
  for (const bool intact_digest : {true, false}) {
    LogMachine machine = three_notes();
    std::string log = machine.log();
    const std::size_t second = line_from_end(log, 2);
    const std::size_t third = line_from_end(log, 1);
    log[intact_digest ? second + 20 : third - 10] ^= 1;
    machine.set_mark("");
    machine.set_log(log);
    check_refused(machine, errc::kStoreDamaged, "line 3");
    CHECK(machine.read().error().code == errc::kStoreDamaged);
  }
}

TEST_CASE("recovery: a removed, repeated or swapped line is damage") {
  const std::string log = three_notes().log();
  const std::size_t second = line_from_end(log, 2);
  const std::size_t third = line_from_end(log, 1);
  const std::string head = log.substr(0, second);
  const std::string line2 = log.substr(second, third - second);
  const std::string line3 = log.substr(third);
  for (const std::string& changed :
       {head + line3, head + line2 + line2 + line3, head + line3 + line2, line2 + line3}) {
    for (const bool marked : {true, false}) {
      LogMachine machine = three_notes();
      if (!marked) machine.set_mark("");
      machine.set_log(changed);
      const auto refused = machine.append("more");
      REQUIRE_FALSE(refused);
      CHECK(refused.error().code == errc::kStoreDamaged);
      CHECK(machine.log() == changed);
    }
  }
}

TEST_CASE("recovery: a verified line of an unknown kind is a newer format, and is not touched") {
  LogMachine machine = three_notes();
  const std::string log = machine.log();
  const std::string head = log.substr(log.size() - 67, 64);
  machine.set_log(log + finish_line("{\"sealed\":[]", head));
  check_refused(machine, errc::kStoreTooNew, "line 5 (byte " + std::to_string(log.size()));
}

TEST_CASE("recovery: a newer format is refused by everybody, naming what it needs") {
  LogMachine machine;
  machine.set_log("{\"workctl_log\":2,\"whatever\":true}\n");
  const auto refused = machine.open();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == errc::kStoreTooNew);
  CHECK(refused.error().message.find("format 2") != std::string::npos);
}

TEST_CASE("recovery: a log without a header that verifies is damage") {
  for (const char* log : {"", "{}\n", "garbage", "{\"workctl_log\":1}\n"}) {
    LogMachine machine;
    machine.set_log(log);
    CHECK(machine.open().error().code == errc::kStoreDamaged);
    CHECK(machine.log() == log);
  }
}

TEST_CASE("recovery: readers leave an unfinished end alone") {
  LogMachine machine = three_notes();
  const std::string log = machine.log() + "{\"commits\":[{\"rev";
  machine.set_log(log);
  CHECK(machine.read() == Texts{"first", "second", "third"});
  CHECK(machine.log() == log);
  CHECK(machine.notices.empty());
  LogMachine after(machine.machine().crash({.keep = ~std::uint64_t{0}}));
  CHECK(after.read() == Texts{"first", "second", "third"});
  CHECK(after.notices.size() == 1);
}

}  // namespace
}  // namespace workctl
