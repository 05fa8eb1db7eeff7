#pragma once

/// Every command there is.

#include <span>
#include <string_view>

#include "cli/command.h"

namespace workctl::cli {

/// All commands, in the order in which help lists them: by group, then as they are met in a life.
std::span<const Command* const> command_table();

/// The command of that name; `kInvalidInput`, with a suggestion, when there is none.
Result<const Command*> find_command(std::string_view name);

/// What a group is called in help.
std::string_view group_title(Group group);

extern const Command kInitCommand;
extern const Command kCompactCommand;
extern const Command kStatsCommand;
extern const Command kVerifyCommand;
extern const Command kRepairCommand;
extern const Command kCreateCommand;
extern const Command kCancelCommand;
extern const Command kClaimCommand;
extern const Command kStartCommand;
extern const Command kHeartbeatCommand;
extern const Command kCheckpointCommand;
extern const Command kContextCommand;
extern const Command kCompleteCommand;
extern const Command kFailCommand;
extern const Command kConfirmCancelCommand;
extern const Command kListCommand;
extern const Command kShowCommand;
extern const Command kRecoverCommand;
extern const Command kTimeoutCommand;
extern const Command kRetryCommand;
extern const Command kMigrateCommand;
extern const Command kBatchCommand;
extern const Command kHelpCommand;

}  // namespace workctl::cli
