#pragma once

/// What `workctl create` takes, named after the members of the request.

#include "cli/options.h"

namespace workctl::cli::create {

inline constexpr std::string_view kBackoffChoices[] = {"fixed", "exponential"};

inline constexpr Option kDefinition{.name = "--definition",
                                    .kind = ValueKind::kName,
                                    .value_name = "NAME",
                                    .help = "what is to be run"};
inline constexpr Option kInput{.name = "--input",
                               .kind = ValueKind::kJson,
                               .value_name = "JSON",
                               .help = "what it is to work on: JSON, @FILE or @-",
                               .fallback = "null"};
inline constexpr Option kKey{.name = "--key",
                             .kind = ValueKind::kName,
                             .value_name = "KEY",
                             .help = "idempotency key: the same key never makes two workloads",
                             .fallback_note = "auto- and 32 random digits"};
inline constexpr Option kTenant{.name = "--tenant",
                                .kind = ValueKind::kName,
                                .value_name = "TENANT",
                                .help = "whose work it is",
                                .variable = "WORKCTL_TENANT",
                                .fallback = "default"};
inline constexpr Option kApplication{.name = "--application",
                                     .kind = ValueKind::kName,
                                     .value_name = "APPLICATION",
                                     .help = "of which application",
                                     .variable = "WORKCTL_APPLICATION",
                                     .fallback = "default"};
inline constexpr Option kEnvironment{.name = "--environment",
                                     .kind = ValueKind::kName,
                                     .value_name = "ENVIRONMENT",
                                     .help = "in which environment",
                                     .variable = "WORKCTL_ENVIRONMENT",
                                     .fallback = "default"};
inline constexpr Option kRevision{.name = "--revision",
                                  .kind = ValueKind::kName,
                                  .value_name = "REVISION",
                                  .help = "which revision of the definition",
                                  .variable = "WORKCTL_REVISION",
                                  .fallback = "1"};
inline constexpr Option kTrigger{.name = "--trigger",
                                 .kind = ValueKind::kName,
                                 .value_name = "NAME",
                                 .help = "what asked for it",
                                 .variable = "WORKCTL_TRIGGER",
                                 .fallback = "manual"};
inline constexpr Option kRequestedBy{
    .name = "--requested-by",
    .kind = ValueKind::kSubject,
    .value_name = "KIND:ID",
    .help = "who asks for it: a human, service, workload, agent, connection or worker",
    .variable = "WORKCTL_REQUESTED_BY",
    .fallback_note = "the grant's subject, else human:LOGIN"};
inline constexpr Option kSession{.name = "--session",
                                 .kind = ValueKind::kName,
                                 .value_name = "ID",
                                 .help = "in which session",
                                 .variable = "WORKCTL_SESSION"};
inline constexpr Option kGrant{.name = "--grant",
                               .kind = ValueKind::kJsonFile,
                               .value_name = "FILE",
                               .help = "a signed grant that allows it; FILE or -",
                               .fallback_note = "one that this store issues to the user"};
inline constexpr Option kCapability{.name = "--capability",
                                    .kind = ValueKind::kName,
                                    .value_name = "CAPABILITY",
                                    .help = "something that its worker must be able to do",
                                    .repeatable = true};
inline constexpr Option kConnectionScope{.name = "--connection-scope",
                                         .kind = ValueKind::kName,
                                         .value_name = "SCOPE",
                                         .help = "a connection that its worker may use",
                                         .repeatable = true};
inline constexpr Option kPriority{.name = "--priority",
                                  .kind = ValueKind::kInteger,
                                  .value_name = "N",
                                  .help = "higher is first",
                                  .fallback = "0"};
inline constexpr Option kNotBefore{.name = "--not-before",
                                   .kind = ValueKind::kInstant,
                                   .value_name = "INSTANT",
                                   .help = "not to be run earlier: 2026-11-30T20:00:00Z, +15m"};
inline constexpr Option kAfter{
    .name = "--after",
    .kind = ValueKind::kDependency,
    .value_name = "ID[=STATE]",
    .help = "not to be run before that workload is in that state (SUCCEEDED)",
    .repeatable = true};

inline constexpr Option kMaxAttempts{.name = "--max-attempts",
                                     .kind = ValueKind::kCount,
                                     .value_name = "N",
                                     .help = "how often it may be claimed (usually 3)",
                                     .minimum = 1,
                                     .maximum = kCount32Max};
inline constexpr Option kInitialDelay{.name = "--initial-delay",
                                      .kind = ValueKind::kDuration,
                                      .value_name = "DURATION",
                                      .help = "before the second attempt (usually 1s)"};
inline constexpr Option kMaxDelay{.name = "--max-delay",
                                  .kind = ValueKind::kDuration,
                                  .value_name = "DURATION",
                                  .help = "before any attempt, at most (usually 5m)"};
inline constexpr Option kBackoff{.name = "--backoff",
                                 .kind = ValueKind::kChoice,
                                 .value_name = "HOW",
                                 .help = "how the delay grows: fixed or exponential (as usual)",
                                 .choices = kBackoffChoices};
inline constexpr Option kRetryOn{.name = "--retry-on",
                                 .kind = ValueKind::kName,
                                 .value_name = "KIND",
                                 .help =
                                     "a kind of failure that is tried again (usually timeout, "
                                     "worker_failure and transient_connection)",
                                 .repeatable = true};

inline constexpr Option kQueueTimeout{.name = "--queue-timeout",
                                      .kind = ValueKind::kDuration,
                                      .value_name = "DURATION",
                                      .help = "at most this long until it is claimed"};
inline constexpr Option kClaimTimeout{.name = "--claim-timeout",
                                      .kind = ValueKind::kDuration,
                                      .value_name = "DURATION",
                                      .help = "at most this long from a claim to the start"};
inline constexpr Option kExecutionTimeout{.name = "--execution-timeout",
                                          .kind = ValueKind::kDuration,
                                          .value_name = "DURATION",
                                          .help = "at most this long from the start to the end"};
inline constexpr Option kHeartbeatTimeout{.name = "--heartbeat-timeout",
                                          .kind = ValueKind::kDuration,
                                          .value_name = "DURATION",
                                          .help = "at most this long between heartbeats"};
inline constexpr Option kOverallTimeout{.name = "--overall-timeout",
                                        .kind = ValueKind::kDuration,
                                        .value_name = "DURATION",
                                        .help = "at most this long from its creation to its end"};

inline constexpr Option kFrom{.name = "--from",
                              .kind = ValueKind::kJsonFile,
                              .value_name = "FILE",
                              .help =
                                  "a whole request as a JSON document, FILE or -; options given "
                                  "beside it replace its members"};
inline constexpr Option kBatch{.name = "--batch",
                               .kind = ValueKind::kFile,
                               .value_name = "FILE",
                               .help =
                                   "many requests, one JSON document a line, FILE or -; options "
                                   "given beside it replace their members"};
inline constexpr Option kAtomic{.name = "--atomic",
                                .help = "with --batch: all of them in one commit, or none"};

}  // namespace workctl::cli::create
