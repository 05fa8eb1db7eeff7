// Power is cut after every call of a store's life, through the engine: whole transactions, several
// documents, several transactions in a line, a life of work, a migration.

#include <doctest/doctest.h>

#include "crash/crash_points.h"
#include "crash/store_machine.h"
#include "support/settings.h"

namespace workctl {
namespace {

/// The store on the machine that came up: it opens, holds what was promised, holds the same when it
/// is opened again, also after a second power cut, and takes a commit.
void check_image(const SimulatedFileSystem& image, const StorePromise& promise, Figures& figures) {
  ++figures.images;
  StoreMachine machine(image.fork());
  const auto found = machine.settle();
  REQUIRE_MESSAGE(found, found.error().message);
  CHECK(promise.kept_by(*found));
  CHECK(StoreMachine(machine.machine().crash({.keep = 0})).settle() == *found);
  StorePromise later{*found};
  REQUIRE(machine.run(later, [](Session& session) {
    return session.stage({.at = 60, .writes = {note("after", 0, Json("the crash"))}});
  }));
  CHECK(StoreMachine(machine.machine().crash({.keep = 0})).settle() == later.acknowledged);
}

/// Cuts the power during the recovery of `image` as well.
void check_recovery(const SimulatedFileSystem& image, const StorePromise& promise,
                    std::uint64_t seed, Figures& figures) {
  check_image(image, promise, figures);
  StoreMachine machine(image.fork());
  std::vector<SimulatedFileSystem> images;
  machine.machine().observe([&] {
    for (const CrashPlan& plan : machine.machine().crash_plans(1, seed))
      images.push_back(machine.machine().crash(plan));
  });
  REQUIRE(machine.settle());
  machine.machine().observe({});
  for (const SimulatedFileSystem& again : images) check_image(again, promise, figures);
}

TEST_CASE("crash: a store's whole life, power cut after every call of it") {
  const std::uint64_t plans = setting("WORKCTL_CRASH_PLANS", 4);
  const std::uint64_t seed = setting("WORKCTL_SEED", 1);
  Figures figures;
  std::uint64_t call = 0;
  StoreMachine machine;
  StorePromise promise{machine.settle().value()};
  for (const Step& step : store_story()) {
    CAPTURE(step.name);
    machine.machine().observe([&] {
      if (!is_crash_point(++call)) return;
      ++figures.crash_points;
      for (const CrashPlan& plan : machine.machine().crash_plans(plans, seed + call)) {
        CAPTURE(machine.machine().log().back());
        CAPTURE(to_text(plan));
        check_recovery(machine.machine().crash(plan), promise, seed, figures);
      }
    });
    const auto done = step.run(machine, promise);
    machine.machine().observe({});
    REQUIRE_MESSAGE(done, done.error().message);
  }
  CHECK(StoreMachine(machine.machine().crash({.keep = 0})).settle() == promise.acknowledged);
  MESSAGE("store: " << figures.crash_points << " crash points, " << figures.images
                    << " images checked, seed " << seed);
}

TEST_CASE("crash: making a store with its keys leaves none, or a whole one") {
  Figures figures;
  SimulatedFileSystem machine;
  machine.observe([&] {
    ++figures.crash_points;
    for (const CrashPlan& plan : machine.crash_plans(setting("WORKCTL_CRASH_PLANS", 20))) {
      CAPTURE(machine.log().back());
      CAPTURE(to_text(plan));
      ++figures.images;
      StoreMachine after(machine.crash(plan));
      REQUIRE(StoreMachine::make_store(after.machine()));
      REQUIRE(after.settle());
      CHECK(after.open().value()->private_text("secret").value() == "private");
    }
  });
  REQUIRE(StoreMachine::make_store(machine).value());
  machine.observe({});
  MESSAGE("making a store: " << figures.crash_points << " crash points, " << figures.images
                             << " images checked");
}

}  // namespace
}  // namespace workctl
