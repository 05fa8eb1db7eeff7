#include "cli/command_table.h"

#include <fmt/format.h>

#include "cli/suggestion.h"

namespace workctl::cli {

namespace {

constexpr const Command* kCommands[] = {
    &kInitCommand,     &kStatsCommand,     &kCompactCommand,       &kVerifyCommand,
    &kRepairCommand,   &kCreateCommand,    &kCancelCommand,        &kClaimCommand,
    &kStartCommand,    &kHeartbeatCommand, &kCheckpointCommand,    &kContextCommand,
    &kCompleteCommand, &kFailCommand,      &kConfirmCancelCommand, &kListCommand,
    &kShowCommand,     &kRecoverCommand,   &kTimeoutCommand,       &kRetryCommand,
    &kMigrateCommand,  &kBatchCommand,     &kHelpCommand,
};

}  // namespace

std::span<const Command* const> command_table() { return kCommands; }

Result<const Command*> find_command(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Command* command : kCommands) {
    if (command->name == name) return command;
    names.push_back(command->name);
  }
  return failure(errc::kInvalidInput, fmt::format("unknown command \"{}\"", name),
                 suggestion(name, names, "workctl --help lists the commands"));
}

std::string_view group_title(Group group) {
  switch (group) {
    case Group::kStore:
      return "Store";
    case Group::kProduce:
      return "Produce work";
    case Group::kWork:
      return "Do work";
    case Group::kOperate:
      return "Operate";
    case Group::kShell:
      return "Shell";
  }
  return {};
}

}  // namespace workctl::cli
