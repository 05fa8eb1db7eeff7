// The process around a run: what it finds open, what it ends with.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "cli/exit_codes.h"
#include "cli/program.h"
#include "cli/terminal.h"

int main(int argc, char** argv) {
  using namespace workctl::cli;
  open_standard_streams();
  // A file that may not grow further is an error, as a full disk is, and no reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  int status = kExitBug;
  try {
    status = run_program(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "workctl: a defect of workctl: %s\nhint: please report it\n",
                 exception.what());
  }
  // Everything is written and committed; taking what is in memory apart would only cost time.
  std::_Exit(status);
}
