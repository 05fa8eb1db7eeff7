#include "cli/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "cli/arguments.h"
#include "cli/command_table.h"
#include "cli/context.h"
#include "cli/exit_codes.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/terminal.h"

namespace workctl::cli {

namespace {

/// Prints an error that came up before it was known how to print: as the words seem to ask.
int refuse(std::span<const std::string> words, Error error) {
  Output output({.command = named_command(words), .format = parse_format(requested_format(words))});
  return output.finish(std::unexpected(std::move(error)));
}

Result<Format> chosen_format(const Arguments& globals, const Command& command) {
  if (!globals.has(kFormat))
    return command.describe != nullptr ? Format::kText : Format::kJsonLines;
  const Format format = parse_format(globals.text(kFormat));
  if (supports(command, format)) return format;
  return failure(errc::kInvalidInput,
                 fmt::format("--format: {} does not print {}; it prints {}", command.name,
                             globals.text(kFormat), fmt::join(format_names(command), ", ")));
}

Result<std::string> store_path(const Arguments& globals) {
  if (globals.has(kStore)) return globals.text(kStore);
  return default_store_path(std::getenv("XDG_STATE_HOME"), std::getenv("HOME"));
}

Style output_style(const Arguments& globals) {
  return {.color = wants_color(globals.text(kColor), STDOUT_FILENO),
          .width = terminal_width(STDOUT_FILENO)};
}

/// What a command is given to work on: its own arguments, within its own rules.
Result<Arguments> read_arguments(const CommandLine& line, const Clock& clock, Input& input) {
  const Command& command = *line.command;
  std::vector<const Option*> options(command.positionals.begin(), command.positionals.end());
  options.insert(options.end(), command.options.begin(), command.options.end());
  Arguments arguments = Arguments::collect(line.given, options, &std::getenv);
  WORKCTL_CHECK(arguments.check_required(options));
  if (command.check != nullptr) WORKCTL_CHECK(command.check(arguments));
  WORKCTL_CHECK(arguments.convert(clock.now(), input));
  return arguments;
}

Result<Answer> run_command(const CommandLine& line, const Arguments& globals, Output& output,
                           Input& input) {
  const SystemClock system_clock;
  std::optional<ManualClock> manual_clock;
  if (globals.has(kNow)) manual_clock.emplace(globals.instant(kNow));
  const Clock& clock = manual_clock ? static_cast<const Clock&>(*manual_clock) : system_clock;
  WORKCTL_TRY(const Arguments arguments, read_arguments(line, clock, input));
  WORKCTL_TRY(std::string path, store_path(globals));
  // Never destroyed: the process ends soon, and taking a large store's documents apart takes long.
  Context& context =
      *new Context({.store_path = std::move(path),
                    .lock_timeout = std::chrono::milliseconds(globals.duration_ms(kLockTimeout)),
                    .use_index = !globals.has(kNoIndex)},
                   clock, input, output);
  if (line.command->needs == Needs::kStore) WORKCTL_CHECK(context.open());
  return line.command->run(arguments, context);
}

}  // namespace

int run_program(std::span<const std::string> words) {
  Result<CommandLine> line = parse_command_line(words);
  if (!line) return refuse(words, std::move(line).error());
  const Command* command = line->command;
  Arguments globals = Arguments::collect(line->given, kGlobalOptions, &std::getenv);
  if (globals.has(kHelp))
    return Output({}).finish_text(command != nullptr ? command_help(*command) : general_help());
  if (globals.has(kVersion)) return Output({}).finish_text("workctl " WORKCTL_VERSION "\n");

  Input input;
  if (const Result<void> converted = globals.convert(SystemClock().now(), input); !converted)
    return refuse(words, converted.error());
  if (command == nullptr)
    return refuse(words,
                  {errc::kInvalidInput, "no command given", "workctl --help lists the commands"});

  const Result<Format> format = chosen_format(globals, *command);
  if (!format) return refuse(words, format.error());
  Output output({.command = command,
                 .format = *format,
                 .quiet = globals.has(kQuiet),
                 .style = output_style(globals)});
  return output.finish(run_command(*line, globals, output, input));
}

}  // namespace workctl::cli
