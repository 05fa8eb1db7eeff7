#include "cli/command_table.h"

namespace workctl::cli {

namespace {

constexpr const Command* kCommands[] = {
    &kInitCommand,    &kVerifyCommand,   &kCreateCommand,    &kCancelCommand,
    &kClaimCommand,   &kStartCommand,    &kHeartbeatCommand, &kCheckpointCommand,
    &kContextCommand, &kCompleteCommand, &kFailCommand,      &kConfirmCancelCommand,
    &kListCommand,    &kShowCommand,     &kRecoverCommand,   &kTimeoutCommand,
    &kRetryCommand,   &kMigrateCommand,  &kBatchCommand,     &kHelpCommand,
};

}  // namespace

std::span<const Command* const> command_table() { return kCommands; }

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
