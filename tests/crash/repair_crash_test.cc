// Power is cut after every call of a repair: the damaged log is as it was, or its valid beginning
// has taken its place.

#include <doctest/doctest.h>

#include "support/damage.h"
#include "support/log_machine.h"
#include "support/settings.h"
#include "workctl/journal/repair.h"

namespace workctl {
namespace {

using Texts = std::vector<std::string>;

Result<std::optional<DroppedTail>> drop(SimulatedFileSystem& machine, Directory& directory) {
  Notes notes;
  return drop_tail(directory, {.actor = "human:ada", .at = 7}, notes, {.file_system = &machine},
                   std::chrono::milliseconds(0));
}

TEST_CASE("crash: a repair that is cut off has changed nothing, or is done") {
  LogMachine machine;
  REQUIRE(machine.append("second"));
  REQUIRE(machine.append(std::string(9000, 'x')));
  auto lines = split_lines(machine.log());
  lines[2][20] ^= 1;
  const std::string damaged = join_lines(lines);
  machine.set_log(damaged);

  std::uint64_t images = 0;
  std::uint64_t repaired = 0;
  const auto directory = machine.machine().open_directory("/store").value();
  machine.machine().observe([&] {
    for (const CrashPlan& plan :
         machine.machine().crash_plans(setting("WORKCTL_CRASH_PLANS", 20))) {
      CAPTURE(machine.machine().log().back());
      CAPTURE(to_text(plan));
      ++images;
      LogMachine after(machine.machine().crash(plan));
      if (after.log() == damaged) {
        REQUIRE_FALSE(after.settle());
        CHECK(after.log() == damaged);
        const auto again = after.machine().open_directory("/store").value();
        REQUIRE(drop(after.machine(), *again));
      } else {
        ++repaired;
      }
      CHECK(after.settle() == Texts{"first"});
      bool kept = false;
      for (const std::string& name : after.archived())
        kept = kept || after.machine().contents("/store/archive/" + name) == damaged;
      CHECK(kept);
      REQUIRE(after.append("later"));
      CHECK(LogMachine(after.machine().crash({.keep = 0})).settle() == Texts{"first", "later"});
    }
  });
  REQUIRE(drop(machine.machine(), *directory));
  machine.machine().observe({});
  CHECK(repaired > 0);
  MESSAGE("repair: " << images << " images checked");
}

}  // namespace
}  // namespace workctl
