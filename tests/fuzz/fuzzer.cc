// The fuzzer's side of the targets: libFuzzer calls them, and learns from g++'s instrumentation
// what they reached.
//
// g++ knows `-fsanitize-coverage=trace-pc` and no counters of its own, so a table of counters is
// kept here, one for each address (two may share one), and shown to libFuzzer as a module's. The
// linker's --wrap puts our function in the place of libFuzzer's, which is of no use.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/targets.h"

extern "C" {
void __sanitizer_cov_8bit_counters_init(std::uint8_t* begin, std::uint8_t* end);
void __wrap___sanitizer_cov_trace_pc();
int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
}

namespace {

constexpr std::size_t kCounters = 1U << 17;
std::uint8_t counters[kCounters];
const workctl::fuzz::Target* target = nullptr;

}  // namespace

void __wrap___sanitizer_cov_trace_pc() {
  const auto address = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  ++counters[(address ^ (address >> 17)) % kCounters];
}

/// The target is named by WORKCTL_FUZZ_TARGET: libFuzzer keeps the command line for itself.
int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("WORKCTL_FUZZ_TARGET");
  target = workctl::fuzz::find_target(name == nullptr ? "" : name);
  if (target == nullptr) {
    std::fputs("WORKCTL_FUZZ_TARGET must be one of:", stderr);
    for (const auto& one : workctl::fuzz::targets())
      std::fprintf(stderr, " %s", std::string(one.name).c_str());
    std::fputs("\n", stderr);
    std::exit(2);
  }
  __sanitizer_cov_8bit_counters_init(counters, counters + kCounters);
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
