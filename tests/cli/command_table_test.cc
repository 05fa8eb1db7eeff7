#include "cli/command_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "cli/arguments.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/shell_text.h"
#include "support/temporary_directory.h"

namespace workctl::cli {

namespace {

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Has a real shell run a line of an example, with `workctl` a function that only notes its words:
/// the words of each call.
std::vector<std::vector<std::string>> calls(std::string_view line) {
  TemporaryDirectory directory;
  for (const char* name : {"out.json", "progress.json", "report.json", "operations.jsonl"})
    std::ofstream(directory / name) << "{}";
  std::ofstream(directory / "stderr.txt") << "failed";
  const std::string script = "cd " + shell_quote(directory.path().string()) +
                             " && workctl() { for word; do printf '%s\\0' \"$word\"; done >>words; "
                             "printf '\\n' >>words; }\n"
                             "jq() { cat; }\n" +
                             std::string(line);
  REQUIRE(std::system(("sh -c " + shell_quote(script) + " >/dev/null </dev/null").c_str()) == 0);

  std::vector<std::vector<std::string>> all(1);
  std::string word;
  for (const char c : read_file(directory / "words")) {
    if (c == '\0')
      all.back().push_back(std::exchange(word, {}));
    else if (c == '\n' && word.empty())
      all.emplace_back();
    else
      word += c;
  }
  all.pop_back();
  return all;
}

const char* variable(std::string_view name) {
  if (name == "WORKCTL_WORKLOAD") return "workload_9b1c";
  if (name == "WORKCTL_CLAIM") return "claim_7d02";
  if (name == "WORKCTL_TOKEN") return "1";
  return nullptr;
}

std::vector<const Option*> all_options(const Command& command) {
  std::vector<const Option*> options(command.positionals.begin(), command.positionals.end());
  options.insert(options.end(), command.options.begin(), command.options.end());
  return options;
}

}  // namespace

TEST_CASE("commands: every example can be parsed, and shows its own command") {
  for (const Command* command : command_table()) {
    CHECK_MESSAGE(!command->examples.empty(), command->name);
    for (const Example& example : command->examples) {
      CAPTURE(example.line);
      bool shown = false;
      for (const std::vector<std::string>& words : calls(example.line)) {
        const Result<CommandLine> line = parse_command_line(words);
        REQUIRE_MESSAGE(line.has_value(), line.error().message);
        const std::vector<const Option*> options = all_options(*line->command);
        const Arguments arguments = Arguments::collect(
            line->given, options, [](const char* name) { return variable(name); });
        const Result<void> complete = arguments.check_required(options);
        CHECK_MESSAGE(complete.has_value(), complete.error().message);
        if (line->command->check != nullptr) CHECK(line->command->check(arguments).has_value());
        shown = shown || line->command == command || line->command == &kHelpCommand;
      }
      CHECK(shown);
    }
  }
}

TEST_CASE("commands: literal values in examples can be converted") {
  for (const Command* command : command_table()) {
    for (const Example& example : command->examples) {
      for (const std::vector<std::string>& words : calls(example.line)) {
        const Result<CommandLine> line = parse_command_line(words);
        REQUIRE(line.has_value());
        for (const Given& given : line->given) {
          const bool names_file = given.text.starts_with('@') || given.text == "-" ||
                                  given.option->kind == ValueKind::kJsonFile;
          Input input;
          const Result<Value> value =
              names_file ? Value()
                         : read_value(*given.option, given.text, given.option->name, 0, input);
          CHECK_MESSAGE(value.has_value(), given.text);
        }
      }
    }
  }
}

TEST_CASE("commands: the table is whole") {
  std::set<std::string_view> names;
  for (const Command* command : command_table()) {
    CAPTURE(command->name);
    CHECK(names.insert(command->name).second);
    CHECK_FALSE(command->summary.empty());
    CHECK(command->summary.size() <= 60);
    CHECK((command->run != nullptr));
    std::set<std::string_view> options;
    std::set<char> letters;
    for (const Option* option : kGlobalOptions) {
      options.insert(option->name);
      letters.insert(option->letter);
    }
    for (const Option* option : all_options(*command)) {
      CAPTURE(option->name);
      CHECK(options.insert(option->name).second);
      CHECK((option->letter == 0 || letters.insert(option->letter).second));
      CHECK_FALSE(option->help.empty());
      CHECK((option->kind == ValueKind::kFlag) == option->value_name.empty());
      CHECK((option->variable.empty() || option->variable.starts_with("WORKCTL_")));
    }
    for (const Option* positional : command->positionals) CHECK(positional->positional());
    for (const Option* option : command->options) CHECK(option->name.starts_with("--"));
  }
}

TEST_CASE("commands: a default can be converted and is within its own limits") {
  for (const Command* command : command_table()) {
    for (const Option* option : all_options(*command)) {
      if (option->fallback.empty()) continue;
      Input input;
      CHECK_MESSAGE(
          read_value(*option, std::string(option->fallback), option->name, 0, input).has_value(),
          option->name);
    }
  }
}

TEST_CASE("commands: one variable means one thing") {
  // The same variable may stand in for options of several commands, but not with different kinds.
  std::map<std::string_view, ValueKind> kinds;
  for (const Command* command : command_table())
    for (const Option* option : all_options(*command))
      if (!option->variable.empty())
        CHECK(kinds.try_emplace(option->variable, option->kind).first->second == option->kind);
}

TEST_CASE("help: no line is wider than a terminal") {
  std::vector<std::string> pages = {general_help()};
  for (const Command* command : command_table()) pages.push_back(command_help(*command));
  for (const std::string& page : pages) {
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
      // What is to be typed is not broken.
      if (!line.starts_with("  workctl") && !line.starts_with("  eval") &&
          !line.starts_with("  echo"))
        CHECK_MESSAGE(line.size() <= 79, line);
      CHECK_MESSAGE((line.empty() || line.back() != ' '), line);
    }
  }
}

TEST_CASE("help: every command and every exit code is in the general help") {
  const std::string help = general_help();
  for (const Command* command : command_table())
    CHECK(help.find("\n  " + std::string(command->name) + " ") != std::string::npos);
  CHECK(help.find("\n    8  nothing to do now") != std::string::npos);
}

TEST_CASE("help: a command's page") {
  const std::string page = command_help(kRetryCommand);
  CHECK(page.substr(0, page.find("\nOptions of every command:")) ==
        R"(workctl retry: give failed or dead-lettered work one more attempt

Usage: workctl retry [OPTION]... [ID]

Each call grants one attempt beyond the policy's `max_attempts`, and a workload
takes at most as many calls as it has attempts.

Arguments:
  ID                        the workload [WORKCTL_WORKLOAD]

Options:
  --reason TEXT             why, for the history (its first 256 characters):
                            text, @FILE or @-
  --actor NAME              who decides, for the history [default: human:LOGIN;
                            WORKCTL_ACTOR]
  --if-version N            refuse with a conflict unless the workload is in
                            this version (its __version)

Formats (-o): text, json, jsonl, id

Examples:
  workctl retry workload_9b1c --reason 'mail server is back'
      give work that failed, timed out or is dead-lettered one more attempt
)");
}

}  // namespace workctl::cli
