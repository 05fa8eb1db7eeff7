#include "cli/help.h"

#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/wording.h"

namespace workctl::cli {

namespace {

constexpr std::size_t kWidth = 79;
constexpr std::size_t kIndent = 2;

/// `-o, --format FORMAT`.
std::string option_title(const Option& option) {
  std::string title = option.letter != 0 ? fmt::format("-{}, {}", option.letter, option.name)
                                         : std::string(option.name);
  if (!option.positional() && !option.value_name.empty())
    title += fmt::format(" {}", option.value_name);
  return title;
}

/// Its help, then in brackets what else there is to know.
std::string option_text(const Option& option) {
  std::string text(option.help);
  std::vector<std::string> facts;
  if (option.repeatable) facts.emplace_back("may be repeated");
  const std::string_view usual = option.fallback.empty() ? option.fallback_note : option.fallback;
  if (!usual.empty()) facts.push_back(fmt::format("default: {}", usual));
  if (!option.variable.empty()) facts.push_back(std::string(option.variable));
  if (!facts.empty()) text += fmt::format(" [{}]", fmt::join(facts, "; "));
  return text;
}

/// Titles in one column, texts in a second; a title too long for its column has a line of its own.
std::string options_text(std::span<const Option* const> options) {
  constexpr std::size_t kTextColumn = 28;
  std::string out;
  for (const Option* option : options) {
    const std::string title = option_title(*option);
    out += std::string(kIndent, ' ') + title;
    if (kIndent + title.size() + 2 > kTextColumn)
      out += "\n" + std::string(kTextColumn, ' ');
    else
      out += std::string(kTextColumn - kIndent - title.size(), ' ');
    out += wrapped(option_text(*option), kWidth - kTextColumn, kTextColumn) + "\n";
  }
  return out;
}

std::string commands_text() {
  constexpr std::size_t kTextColumn = 18;
  std::string out;
  const Command* previous = nullptr;
  for (const Command* command : command_table()) {
    if (previous == nullptr || previous->group != command->group)
      out += fmt::format("\n{}:\n", group_title(command->group));
    out += fmt::format("{:{}}{:<{}}{}\n", "", kIndent, command->name, kTextColumn - kIndent,
                       wrapped(command->summary, kWidth - kTextColumn, kTextColumn));
    previous = command;
  }
  return out;
}

std::string exit_codes_text() {
  std::string out;
  for (const ExitCode& code : exit_codes())
    out += fmt::format("{:>5}  {}\n", code.status, code.meaning);
  return out;
}

}  // namespace

std::string general_help() {
  return fmt::format(
      "workctl decides who may run which piece of work, and proves afterwards what\nhappened.\n\n"
      "Usage: workctl [OPTION]... COMMAND [ARGUMENT]...\n"
      "{}\n"
      "Options of every command, before or after its name:\n{}\n"
      "Exit codes:\n{}\n"
      "A start:\n"
      "  workctl init\n"
      "  workctl create --definition send-mail --input '{{\"to\": \"a\"}}'\n"
      "  eval \"$(workctl claim --next -o env)\" && workctl start\n"
      "  workctl complete --output '{{\"sent\": 1}}'\n\n"
      "workctl COMMAND --help tells more of a command.\n",
      commands_text(), options_text(kGlobalOptions), exit_codes_text());
}

std::string usage(const Command& command) {
  std::string line = fmt::format("workctl {}", command.name);
  if (!command.options.empty()) line += " [OPTION]...";
  for (const Option* positional : command.positionals) {
    const bool needed = positional->required && positional->variable.empty();
    const std::string name =
        fmt::format("{}{}", positional->name, positional->repeatable ? "..." : "");
    line += needed ? " " + name : " [" + name + "]";
  }
  return line;
}

std::string command_help(const Command& command) {
  std::string out =
      fmt::format("workctl {}: {}\n\nUsage: {}\n", command.name, command.summary, usage(command));
  if (!command.notes.empty()) out += "\n" + wrapped(command.notes, kWidth, 0) + "\n";
  if (!command.positionals.empty()) out += "\nArguments:\n" + options_text(command.positionals);
  if (!command.options.empty()) out += "\nOptions:\n" + options_text(command.options);
  out += fmt::format("\nFormats (-o): {}\n", fmt::join(format_names(command), ", "));
  out += "\nExamples:\n";
  for (const Example& example : command.examples)
    out +=
        fmt::format("  {}\n      {}\n", example.line, wrapped(example.explanation, kWidth - 6, 6));
  out += "\nOptions of every command:\n" + options_text(kGlobalOptions);
  return out;
}

}  // namespace workctl::cli
