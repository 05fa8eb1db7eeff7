#include "cli/help.h"

#include "cli/arguments.h"
#include "cli/command_table.h"

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
  WORKCTL_TRY(const Command* const command, find_command(arguments.text(kName)));
  return Answer{.value = {{"help", command_help(*command)}}};
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
