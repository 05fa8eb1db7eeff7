// What an instrumented library calls, for the programs that are not the fuzzer: nothing. The
// sanitizers' runtime has the rest.

extern "C" {
[[gnu::weak]] void __sanitizer_cov_trace_pc();
[[gnu::weak]] void __sanitizer_cov_trace_cmpf(float left, float right);
[[gnu::weak]] void __sanitizer_cov_trace_cmpd(double left, double right);
}

void __sanitizer_cov_trace_pc() {}
void __sanitizer_cov_trace_cmpf(float, float) {}
void __sanitizer_cov_trace_cmpd(double, double) {}
