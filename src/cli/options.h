#pragma once

/// Options that every command takes, and those that several share.

#include <array>
#include <limits>
#include <span>

#include "cli/command.h"

namespace workctl::cli {

inline constexpr std::uint64_t kCount32Max = std::numeric_limits<std::uint32_t>::max();
/// The shortest lease that is given: instants are whole seconds.
inline constexpr std::uint64_t kLeaseMinMs = 1000;

// Of every command.

inline constexpr std::string_view kColorChoices[] = {"auto", "always", "never"};
inline constexpr std::string_view kFormatChoices[] = {"text", "json", "jsonl", "id", "env"};

inline constexpr Option kStore{
    .name = "--store",
    .kind = ValueKind::kDirectory,
    .value_name = "DIR",
    .help = "directory of the store",
    .variable = "WORKCTL_STORE",
    .fallback_note = "$XDG_STATE_HOME/workctl, else ~/.local/state/workctl"};
inline constexpr Option kLockTimeout{.name = "--lock-timeout",
                                     .kind = ValueKind::kDuration,
                                     .value_name = "DURATION",
                                     .help = "wait at most this long for the store's lock",
                                     .variable = "WORKCTL_LOCK_TIMEOUT",
                                     .fallback = "10s"};
inline constexpr Option kNoIndex{
    .name = "--no-index",
    .help = "replay the log in memory, and neither use nor write the store's index"};
inline constexpr Option kFormat{
    .name = "--format",
    .letter = 'o',
    .kind = ValueKind::kChoice,
    .value_name = "FORMAT",
    .help =
        "text for people; json (one object in an envelope), jsonl (bare objects, one a line), id "
        "(workload ids) or env (assignments for eval) for scripts",
    .fallback_note = "text",
    .choices = kFormatChoices};
inline constexpr Option kNow{.name = "--now",
                             .kind = ValueKind::kInstant,
                             .value_name = "INSTANT",
                             .help = "use this time (meant for tests and replays)"};
inline constexpr Option kColor{
    .name = "--color",
    .kind = ValueKind::kChoice,
    .value_name = "WHEN",
    .help = "colour in text: auto, always or never; auto is never where NO_COLOR is set",
    .fallback = "auto",
    .choices = kColorChoices};
inline constexpr Option kQuiet{
    .name = "--quiet", .letter = 'q', .help = "print no notices and no progress on standard error"};
inline constexpr Option kHelp{.name = "--help", .letter = 'h', .help = "print help and end"};
inline constexpr Option kVersion{.name = "--version", .help = "print the version and end"};

inline constexpr const Option* kGlobalOptions[] = {
    &kStore, &kLockTimeout, &kNoIndex, &kFormat, &kNow, &kColor, &kQuiet, &kHelp, &kVersion};

// Of commands that work on one workload.

inline constexpr Option kWorkload{.name = "ID",
                                  .kind = ValueKind::kName,
                                  .value_name = "ID",
                                  .help = "the workload",
                                  .variable = "WORKCTL_WORKLOAD",
                                  .required = true};
inline constexpr Option kIfVersion{
    .name = "--if-version",
    .kind = ValueKind::kCount,
    .value_name = "N",
    .help = "refuse with a conflict unless the workload is in this version (its __version)",
    .minimum = 1};

// Of a worker.

inline constexpr Option kWorker{.name = "--worker",
                                .kind = ValueKind::kName,
                                .value_name = "NAME",
                                .help = "name of the worker",
                                .variable = "WORKCTL_WORKER",
                                .fallback_note = "LOGIN@HOST"};
inline constexpr Option kClaim{.name = "--claim",
                               .kind = ValueKind::kName,
                               .value_name = "CLAIM",
                               .help = "id of the claim that the worker holds",
                               .variable = "WORKCTL_CLAIM",
                               .required = true};
inline constexpr Option kToken{.name = "--token",
                               .kind = ValueKind::kCount,
                               .value_name = "N",
                               .help = "fencing token of that claim",
                               .variable = "WORKCTL_TOKEN",
                               .required = true};

// Of an operator.

inline constexpr Option kActor{.name = "--actor",
                               .kind = ValueKind::kName,
                               .value_name = "NAME",
                               .help = "who decides, for the history",
                               .variable = "WORKCTL_ACTOR",
                               .fallback_note = "human:LOGIN"};

}  // namespace workctl::cli
