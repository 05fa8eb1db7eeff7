#include "cli/help.h"

#include "cli/arguments.h"
#include "cli/command_table.h"
#include "cli/suggestion.h"

namespace workctl::cli {

namespace {

constexpr Option kName = {.name = "COMMAND",
                          .kind = ValueKind::kName,
                          .value_name = "COMMAND",
                          .help = "the command to tell more of"};
constexpr const Option* kPositionals[] = {&kName};
constexpr Example kExamples[] = {{"workctl help claim", "the same as workctl claim --help"}};

Result<Answer> run(const Arguments& arguments, Context&) {
  if (!arguments.has(kName)) return Answer{.value = {{"help", general_help()}}};
  std::vector<std::string_view> names;
  for (const Command* command : command_table()) {
    if (command->name == arguments.text(kName))
      return Answer{.value = {{"help", command_help(*command)}}};
    names.push_back(command->name);
  }
  return failure(errc::kInvalidInput, "unknown command '" + arguments.text(kName) + "'",
                 suggestion(arguments.text(kName), names, "workctl --help lists the commands"));
}

std::string describe(const Answer& answer, const Style&) {
  return answer.value.at("help").get<std::string>();
}

}  // namespace

constexpr Command kHelpCommand = {.name = "help",
                                  .summary = "print help of a command, or of all",
                                  .group = Group::kShell,
                                  .needs = Needs::kNothing,
                                  .positionals = kPositionals,
                                  .examples = kExamples,
                                  .run = run,
                                  .describe = describe};

}  // namespace workctl::cli
