#pragma once

/// The gate that every call to a SimulatedFileSystem passes, and the disk behind it.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/simulated_disk.h"
#include "support/simulated_file_system.h"

namespace workctl {

/// The disk, and the gate that every call to it passes.
class SimulatedMachine {
 public:
  explicit SimulatedMachine(SimulatedDisk the_disk) : disk(std::move(the_disk)) {}

  /// One call: counted, logged, and failed if it is its turn (`when_failing` is then its only
  /// effect).
  template <class Effect, class WhenFailing>
  auto call(const char* name, const std::string& what, Effect effect, WhenFailing when_failing)
      -> decltype(effect()) {
    ++calls;
    log.push_back(fmt::format("{} {}", name, what));
    const int error_number = due_error(name);
    if (error_number != 0) {
      log.back() += fmt::format(": errno {}", error_number);
      when_failing();
    }
    auto result = error_number == 0
                      ? effect()
                      : decltype(effect())(std::unexpected(SystemError{error_number, name}));
    if (after_call) after_call();
    return result;
  }

  template <class Effect>
  auto call(const char* name, const std::string& what, Effect effect) {
    return call(name, what, effect, [] {});
  }

  /// How many of `size` bytes the read or write that is going on moves.
  std::size_t moved(std::size_t size) {
    bool halved = false;
    for (Fault& fault : faults) {
      if (fault.kind == Fault::Kind::kShort && is_due(fault)) halved = true;
    }
    if (!halved || size < 2) return size;
    log.back() += ": short";
    return size / 2;
  }

  struct Fault {
    enum class Kind { kError, kShort };
    Kind kind = Kind::kError;
    std::string call{};  ///< empty: any
    std::uint64_t countdown = 0;
    Failure failure = Failure::kOnce;
    int error_number = 0;
  };

  SimulatedDisk disk;
  std::uint64_t calls = 0;
  std::vector<std::string> log;
  std::vector<Fault> faults;
  std::function<void()> after_call;
  std::uint64_t handles = 0;

 private:
  int due_error(std::string_view name) {
    int error_number = 0;
    for (Fault& fault : faults) {
      if (fault.kind != Fault::Kind::kError) continue;
      if (!fault.call.empty() && fault.call != name) continue;
      if (is_due(fault) && error_number == 0) error_number = fault.error_number;
    }
    return error_number;
  }

  static bool is_due(Fault& fault) {
    if (fault.countdown > 0) --fault.countdown;
    if (fault.countdown > 0) return false;
    // One that has struck counts down from where it never ends.
    if (fault.failure == Failure::kOnce) fault.countdown = ~std::uint64_t{0};
    return true;
  }
};

}  // namespace workctl
