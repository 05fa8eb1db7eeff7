// Taking out of a damaged log what is whole.

#include <doctest/doctest.h>

#include "support/damage.h"
#include "support/log_machine.h"
#include "workctl/journal/repair.h"

namespace workctl {
namespace {

constexpr std::size_t kLines = 9;

std::string a_log() {
  LogMachine machine;
  for (std::size_t i = 2; i < kLines; ++i) REQUIRE(machine.append("note " + std::to_string(i)));
  return machine.log();
}

struct Salvaged {
  std::string lines;
  std::vector<Json> gaps;
};

Salvaged salvage_from(const std::string& log, const std::string& mark = "") {
  LogMachine machine;
  machine.set_log(log);
  machine.set_mark(mark);
  REQUIRE(machine.machine().create_directories("/salvage"));
  const auto directory = machine.machine().open_directory("/store").value();
  const auto target = machine.machine().open_directory("/salvage").value();
  const auto done = salvage(*directory, *target, {.file_system = &machine.machine()}, {});
  REQUIRE_MESSAGE(done, done.error().message);
  CHECK(machine.log() == log);
  Salvaged salvaged{machine.machine().contents("/salvage/lines.jsonl"), {}};
  for (const std::string& line : split_lines(machine.machine().contents("/salvage/missing.jsonl")))
    salvaged.gaps.push_back(parse_json(line, "gap").value());
  CHECK(done->lines == split_lines(salvaged.lines).size());
  CHECK(done->bytes == salvaged.lines.size());
  CHECK(done->gaps == salvaged.gaps.size());
  return salvaged;
}

TEST_CASE("salvage: of a sound log everything, and nothing is missing") {
  const std::string log = a_log();
  const Salvaged salvaged = salvage_from(log);
  CHECK(salvaged.lines == log);
  CHECK(salvaged.gaps.empty());
}

TEST_CASE("salvage: every line but the one with a flipped bit, wherever it is") {
  const std::string log = a_log();
  const auto lines = split_lines(log);
  for (std::size_t bad = 0; bad < lines.size(); ++bad) {
    for (std::size_t at = 0; at + 1 < lines[bad].size(); at += 5) {
      CAPTURE(bad);
      CAPTURE(at);
      auto others = lines;
      others[bad][at] = static_cast<char>(others[bad][at] ^ 2);
      const std::size_t offset =
          join_lines({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(bad)}).size();
      if (others[bad].starts_with("{\"workctl_log\":3")) continue;  // asks for a newer format
      const Salvaged salvaged = salvage_from(join_lines(others));
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(bad));
      if (salvaged.lines != join_lines(others)) FAIL("not every other line was taken");
      REQUIRE(salvaged.gaps.size() == 1);
      const Json& gap = salvaged.gaps[0];
      CHECK(gap.at("line") == bad + 1);
      CHECK(gap.at("offset") == offset);
      CHECK(gap.at("bytes") == lines[bad].size());
      CHECK(gap.at("after_revision") == (bad == 0 ? 0 : bad - 1));
      CHECK(gap.at("before_revision") ==
            (bad + 1 < lines.size() ? Json(bad == 0 ? 1 : bad + 1) : Json()));
    }
  }
}

TEST_CASE("salvage: after a line that was taken out, the next cannot be verified, the others can") {
  auto lines = split_lines(a_log());
  lines.erase(lines.begin() + 3);
  const Salvaged salvaged = salvage_from(join_lines(lines));
  REQUIRE(salvaged.gaps.size() == 1);
  CHECK(salvaged.gaps[0].at("line") == 4);
  CHECK(salvaged.gaps[0].at("bytes") == lines[3].size());
  CHECK(salvaged.gaps[0].at("after_revision") == 2);
  CHECK(salvaged.gaps[0].at("before_revision") == 5);
  lines.erase(lines.begin() + 3);
  CHECK(salvaged.lines == join_lines(lines));
}

TEST_CASE("salvage: a line that is there twice is taken once") {
  auto lines = split_lines(a_log());
  lines.insert(lines.begin() + 4, lines[3]);
  const Salvaged salvaged = salvage_from(join_lines(lines));
  CHECK(salvaged.lines == a_log());
  REQUIRE(salvaged.gaps.size() == 1);
  CHECK(salvaged.gaps[0].at("after_revision") == 3);
  CHECK(salvaged.gaps[0].at("before_revision") == 4);
}

TEST_CASE("salvage: bytes of anything in the middle, and a newline that is gone") {
  const std::string log = a_log();
  auto lines = split_lines(log);
  auto with_junk = lines;
  with_junk.insert(with_junk.begin() + 2, std::string(200000, '\0') + "\n");
  // The junk stands for a line of its own; what follows verifies after the line before it.
  CHECK(salvage_from(join_lines(with_junk)).gaps.size() == 1);
  auto merged = lines;
  merged[4].pop_back();
  const Salvaged salvaged = salvage_from(join_lines(merged));
  merged.erase(merged.begin() + 4, merged.begin() + 6);
  CHECK(salvaged.lines == join_lines(merged));
}

TEST_CASE("salvage: what is known to have been durable after the end is named as missing") {
  LogMachine machine;
  for (int i = 0; i < 3; ++i) REQUIRE(machine.append("note"));
  auto lines = split_lines(machine.log());
  lines.pop_back();
  machine.set_log(join_lines(lines));
  REQUIRE(machine.machine().create_directories("/salvage"));
  const auto directory = machine.machine().open_directory("/store").value();
  const auto target = machine.machine().open_directory("/salvage").value();
  const Journal::Options options{.file_system = &machine.machine()};
  REQUIRE(salvage(*directory, *target, options, {}));
  CHECK(machine.machine().contents("/salvage/missing.jsonl") ==
        "{\"after_revision\":3,\"before_revision\":null,\"bytes\":0,\"line\":5,\"offset\":" +
            std::to_string(machine.log().size()) + "}\n");

  const auto again = salvage(*directory, *target, options, {});
  REQUIRE_FALSE(again);
  CHECK(again.error().code == errc::kInvalidInput);
  CHECK(again.error().message == "/salvage/lines.jsonl is there already");
}

}  // namespace
}  // namespace workctl
