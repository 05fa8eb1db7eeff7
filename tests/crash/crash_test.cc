// Power is cut after every call of every story, in every way that the disk can be left, and again
// while the next process recovers. WORKCTL_CRASH_PLANS sets how many ways are tried at each call
// where there are too many to try all, and WORKCTL_CRASH_STEP at which calls; WORKCTL_SEED chooses
// them.

#include <doctest/doctest.h>

#include <cerrno>
#include <functional>

#include "crash/crash_points.h"
#include "support/log_machine.h"
#include "support/settings.h"

namespace workctl {
namespace {

using Texts = std::vector<std::string>;

/// What is promised at some moment: every acknowledged note is there, and besides them at most the
/// one that is being written.
struct Promise {
  Texts acknowledged;
  std::string in_flight{};

  bool kept_by(const Texts& found) const {
    if (found == acknowledged) return true;
    Texts more = acknowledged;
    more.push_back(in_flight);
    return !in_flight.empty() && found == more;
  }
};

/// The machine that came up after a crash recovers, twice, and what it found then stays.
void check_image(const SimulatedFileSystem& image, const Promise& promise, Figures& figures) {
  ++figures.images;
  LogMachine machine(image.fork());
  const auto found = machine.settle();
  REQUIRE_MESSAGE(found, found.error().message);
  CHECK(promise.kept_by(*found));
  CHECK(machine.settle() == *found);
  CHECK(LogMachine(machine.machine().crash({.keep = 0})).settle() == *found);
  REQUIRE(machine.append("after the crash"));
  Texts more = *found;
  more.emplace_back("after the crash");
  CHECK(LogMachine(machine.machine().crash({.keep = 0})).settle() == more);
}

/// Cuts the power after each call of the recovery of `image` as well.
void check_recovery(const SimulatedFileSystem& image, const Promise& promise, std::uint64_t seed,
                    Figures& figures) {
  check_image(image, promise, figures);
  LogMachine machine(image.fork());
  std::vector<SimulatedFileSystem> images;
  machine.machine().observe([&] {
    for (const CrashPlan& plan : machine.machine().crash_plans(2, seed)) {
      images.push_back(machine.machine().crash(plan));
    }
  });
  REQUIRE(machine.settle());
  machine.machine().observe({});
  for (const SimulatedFileSystem& again : images) check_image(again, promise, figures);
}

using Story = std::function<void(LogMachine&, Promise&)>;

/// Appends and keeps the promise up to date.
void append(LogMachine& machine, Promise& promise, const std::string& note) {
  promise.in_flight = note;
  REQUIRE(machine.append(note));
  promise.acknowledged.push_back(note);
  promise.in_flight.clear();
}

void cut_power_at_every_call(const char* name, LogMachine machine, Promise promise,
                             const Story& story) {
  const std::uint64_t plans = setting("WORKCTL_CRASH_PLANS", 4);
  const std::uint64_t seed = setting("WORKCTL_SEED", 1);
  Figures figures;
  std::uint64_t call = 0;
  machine.machine().observe([&] {
    if (!is_crash_point(++call)) return;
    ++figures.crash_points;
    for (const CrashPlan& plan : machine.machine().crash_plans(plans, seed + call)) {
      const std::string last = machine.machine().log().back();
      CAPTURE(last);
      const std::string plan_text = to_text(plan);
      CAPTURE(plan_text);
      check_recovery(machine.machine().crash(plan), promise, seed + call, figures);
    }
  });
  story(machine, promise);
  machine.machine().observe({});
  REQUIRE(figures.crash_points > 0);
  MESSAGE(std::string(name) << ": " << figures.crash_points << " crash points, " << figures.images
                            << " images checked, seed " << seed);
}

TEST_CASE("crash: appending to a log") {
  cut_power_at_every_call("append", LogMachine(), {{"first"}}, [](auto& machine, auto& promise) {
    append(machine, promise, "second");
    append(machine, promise, "third");
  });
}

TEST_CASE("crash: appending a line of many pages") {
  cut_power_at_every_call("long line", LogMachine(), {{"first"}}, [](auto& machine, auto& promise) {
    append(machine, promise, std::string(20000, 'x'));
    append(machine, promise, "short");
  });
}

TEST_CASE("crash: setting a torn end aside") {
  for (const std::string& torn : {std::string("{\"commits\":[{"), std::string(6000, '\0')}) {
    LogMachine machine;
    REQUIRE(machine.settle());
    machine.set_log(machine.log() + torn);
    cut_power_at_every_call("torn end", std::move(machine), {{"first"}},
                            [](auto& m, auto& promise) { append(m, promise, "second"); });
  }
}

TEST_CASE("crash: healing what a failed sync left behind") {
  LogMachine machine;
  REQUIRE(machine.settle());
  machine.machine().fail("fdatasync", 1, EIO);
  REQUIRE_FALSE(machine.append("second"));
  // Its outcome is unknown until the next writer has settled it.
  cut_power_at_every_call("failed sync", std::move(machine), {{"first"}, "second"},
                          [](auto& m, auto& promise) {
                            REQUIRE(m.settle());
                            promise.acknowledged.emplace_back("second");
                            promise.in_flight.clear();
                            append(m, promise, "third");
                          });
}

TEST_CASE("crash: moving a mark that fell behind") {
  LogMachine machine;
  REQUIRE(machine.append("second"));
  const std::string mark = machine.mark();
  REQUIRE(machine.append("third"));
  machine.set_mark(mark);
  cut_power_at_every_call("mark", std::move(machine), {{"first", "second", "third"}},
                          [](auto& m, auto&) { REQUIRE(m.settle()); });
}

TEST_CASE("crash: making a store leaves none, or a whole one") {
  SimulatedFileSystem machine;
  std::uint64_t images = 0;
  const auto create = [](SimulatedFileSystem& on) -> Result<bool> {
    REQUIRE(on.create_directories("/store"));
    const auto directory = on.open_directory("/store").value();
    return Journal::create(
        *directory, {.store_id = "store_test"}, note_line(1, "first"),
        [] { return Result<void>(); }, {.file_system = &on}, std::chrono::milliseconds(0));
  };
  machine.observe([&] {
    for (const CrashPlan& plan : machine.crash_plans(setting("WORKCTL_CRASH_PLANS", 20))) {
      CAPTURE(to_text(plan));
      ++images;
      SimulatedFileSystem after = machine.crash(plan);
      REQUIRE(create(after));
      CHECK(LogMachine(std::move(after)).settle() == Texts{"first"});
    }
  });
  REQUIRE(create(machine).value());
  machine.observe({});
  CHECK(LogMachine(machine.crash({.keep = 0})).settle() == Texts{"first"});
  MESSAGE("init: " << images << " images checked");
}

}  // namespace
}  // namespace workctl
