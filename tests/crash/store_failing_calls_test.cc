// Every call of a store's life fails, through the engine: the answer says truly what became of it.

#include <doctest/doctest.h>

#include <array>
#include <cerrno>

#include "crash/crash_points.h"
#include "crash/store_machine.h"

namespace workctl {
namespace {

TEST_CASE("failing calls: every call of a store's life fails, and the answer is true") {
  std::uint64_t failed = 0;
  StoreMachine at_step;
  StorePromise promised{at_step.settle().value()};
  for (const Step& step : store_story()) {
    CAPTURE(step.name);
    for (const Failure failure : {Failure::kOnce, Failure::kFromThenOn}) {
      for (const int number : {EIO, ENOSPC, EDQUOT}) {
        CAPTURE(number);
        for (std::uint64_t nth = first_crash_point();; nth += crash_step()) {
          CAPTURE(nth);
          StoreMachine machine(at_step.machine().fork());
          StorePromise promise = promised;
          machine.machine().fail(nth, number, failure);
          const std::uint64_t before = machine.machine().calls();
          const auto outcome = step.run(machine, promise);
          const bool reached = machine.machine().calls() - before >= nth;
          machine.machine().stop_failing();
          if (!outcome && outcome.error().code != errc::kOutcomeUnknown) promise.under_way.clear();
          StoreMachine lost(machine.machine().crash({.keep = 0}));
          const auto found = machine.settle();
          REQUIRE_MESSAGE(found, found.error().message);
          CHECK(promise.kept_by(*found));
          const auto left = lost.settle();
          REQUIRE_MESSAGE(left, left.error().message);
          CHECK(promise.kept_by(*left));
          if (outcome) CHECK(*found == promise.acknowledged);
          if (!reached) break;
          ++failed;
        }
      }
    }
    REQUIRE(step.run(at_step, promised));
  }
  CHECK(failed > 500 / crash_step());
  MESSAGE(failed << " calls failed");
}

TEST_CASE("failing calls: making a store fails at any call, and works when it is tried again") {
  std::uint64_t failed = 0;
  for (const Failure failure : {Failure::kOnce, Failure::kFromThenOn}) {
    for (const int number : {EIO, ENOSPC, EDQUOT, EACCES}) {
      for (std::uint64_t nth = 1;; ++nth) {
        CAPTURE(nth);
        SimulatedFileSystem machine;
        machine.fail(nth, number, failure);
        const auto made = StoreMachine::make_store(machine);
        const bool reached = machine.calls() >= nth;
        machine.stop_failing();
        if (made) CHECK(*made);
        for (SimulatedFileSystem& after : std::array{machine.crash({.keep = 0}), machine.fork()}) {
          const auto again = StoreMachine::make_store(after);
          REQUIRE_MESSAGE(again, again.error().message);
          if (made) CHECK_FALSE(*again);
          StoreMachine store(std::move(after));
          REQUIRE(store.settle());
          CHECK(store.open().value()->private_text("secret").value() == "private");
        }
        if (!reached) break;
        ++failed;
      }
    }
  }
  CHECK(failed > 100);
  MESSAGE(failed << " calls failed");
}

}  // namespace
}  // namespace workctl
