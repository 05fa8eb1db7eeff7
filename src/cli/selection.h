#pragma once

/// Which work a command is about, where it is about many: the filters that commands share.

#include "cli/arguments.h"
#include "cli/command.h"
#include "workctl/store/engine.h"

namespace workctl::cli {

inline constexpr Option kOfTenant{.name = "--tenant",
                                  .kind = ValueKind::kName,
                                  .value_name = "TENANT",
                                  .help = "only this tenant's work",
                                  .variable = "WORKCTL_TENANT"};
inline constexpr Option kOfApplication{.name = "--application",
                                       .kind = ValueKind::kName,
                                       .value_name = "APPLICATION",
                                       .help = "only of this application",
                                       .variable = "WORKCTL_APPLICATION"};
inline constexpr Option kOfDefinition{.name = "--definition",
                                      .kind = ValueKind::kName,
                                      .value_name = "NAME",
                                      .help = "only what runs this"};
inline constexpr Option kInState{.name = "--state",
                                 .kind = ValueKind::kState,
                                 .value_name = "STATE",
                                 .help = "only work in this state",
                                 .repeatable = true};

/// What those of the options above select that a command takes and that have a value.
ListFilter selection(const Arguments& arguments);

}  // namespace workctl::cli
