// Plays every recorded trace of one writer through the real program: the trace's own lines go to
// `workctl batch --changed`, and each line that answers is held against what was recorded.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "conformance/trace_player.h"
#include "support/conformance.h"
#include "support/temporary_directory.h"

namespace workctl {
namespace {

/// Runs the program in a shell of its own; standard output goes to `out`.
void run_program(const std::string& arguments, const std::string& out) {
  const char* program = std::getenv("WORKCTL_PROGRAM");
  REQUIRE_MESSAGE(program != nullptr, "WORKCTL_PROGRAM names the program");
  const std::string command = "'" + std::string(program) + "' " + arguments + " >'" + out + "'";
  REQUIRE_MESSAGE(std::system(command.c_str()) == 0, command);
}

std::vector<Json> read_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<Json> lines;
  for (std::string line; std::getline(file, line);) {
    auto json = parse_json(line, path);
    REQUIRE_MESSAGE(json, json.error().message);
    lines.push_back(*std::move(json));
  }
  return lines;
}

/// Plays one trace; the number of its operations.
std::size_t play_through_batch(const std::string& name, const std::string& options) {
  const std::vector<Json> trace = read_conformance_file(name);
  const TemporaryDirectory directory;
  const std::string store = "--store '" + directory / "store" + "' ";
  const std::string out = directory / "answers.jsonl";
  run_program(store + "init --trust off", directory / "init");
  run_program(store + "batch --changed " + options + " '" + conformance_path(name) + "'", out);

  const std::vector<Json> answers = read_lines(out);
  CHECK(answers.size() == trace.size());
  for (std::size_t i = 0; i < std::min(answers.size(), trace.size()); ++i) {
    const auto difference = compare_answer_line(trace[i].at("expect"), answers[i]);
    if (!difference) continue;
    FAIL_CHECK(name << ":" << i + 1 << " " << trace[i].at("op").get<std::string>() << ": "
                    << *difference);
    break;
  }
  return trace.size();
}

void play_all_through_batch(const std::string& options) {
  std::size_t traces = 0;
  std::size_t operations = 0;
  for (const std::string& name : conformance_trace_names()) {
    if (uses_handles(read_conformance_file(name))) continue;
    operations += play_through_batch(name, options);
    ++traces;
  }
  CHECK(traces > 0);
  MESSAGE(traces, " traces, ", operations, " operations");
}

TEST_CASE("conformance: every trace of one writer through workctl batch") {
  play_all_through_batch("");
}

TEST_CASE("conformance: every trace of one writer through workctl batch, many operations a sync") {
  play_all_through_batch("--sync-every 50");
}

}  // namespace
}  // namespace workctl
