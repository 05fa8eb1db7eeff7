#include "cli/exit_codes.h"

#include <algorithm>
#include <array>

#include "workctl/journal/journal.h"
#include "workctl/store/engine.h"
#include "workctl/workload/workload.h"

namespace workctl::cli {

namespace {

constexpr std::array kExitCodes = {
    ExitCode{0, "done"},
    ExitCode{1, "the awaited workload ended without success"},
    ExitCode{2, "wrong usage or invalid input"},
    ExitCode{3, "not found"},
    ExitCode{4, "conflict: lost race, reused key, duplicate result, migration"},
    ExitCode{5, "the workload's state does not allow it"},
    ExitCode{6, "the claim is not yours any more: stop working"},
    ExitCode{7, "not allowed: grant, capability, secret, unsafe store"},
    ExitCode{8, "nothing to do now: come back later"},
    ExitCode{9, "the store is busy: another process holds its lock"},
    ExitCode{10, "the store is damaged"},
    ExitCode{11, "input or output failed, or the outcome is unknown"},
    ExitCode{12, "the store needs a newer workctl"},
    ExitCode{70, "a defect of workctl"},
    ExitCode{124, "the wait timed out"},
    ExitCode{128, "plus the number of a signal: ended by that signal"},
};

constexpr std::array kErrorRows = {
    ErrorRow{errc::kInvalidInput, 2},       ErrorRow{errc::kWorkloadInvalid, 2},
    ErrorRow{errc::kTooLarge, 2},           ErrorRow{errc::kDocumentUnreadable, 2},
    ErrorRow{errc::kWorkloadNotFound, 3},   ErrorRow{errc::kStoreNotFound, 3},
    ErrorRow{errc::kConflict, 4},           ErrorRow{errc::kIdempotencyKeyReused, 4},
    ErrorRow{errc::kResultDuplicate, 4},    ErrorRow{errc::kMigrationConflict, 4},
    ErrorRow{errc::kNotCommitted, 4},       ErrorRow{errc::kStoreDiffers, 4},
    ErrorRow{errc::kNotReady, 5},           ErrorRow{errc::kTransitionDenied, 5},
    ErrorRow{errc::kAttemptsExhausted, 5},  ErrorRow{errc::kRetryExhausted, 5},
    ErrorRow{errc::kClaimInvalid, 6},       ErrorRow{errc::kStaleFence, 6},
    ErrorRow{errc::kLeaseExpired, 6},       ErrorRow{errc::kUnauthorized, 7},
    ErrorRow{errc::kCapabilityDenied, 7},   ErrorRow{errc::kSecretRejected, 7},
    ErrorRow{errc::kStoreUnsafe, 7},        ErrorRow{errc::kNotYetEligible, 8},
    ErrorRow{errc::kDependenciesNotMet, 8}, ErrorRow{errc::kStoreBusy, 9},
    ErrorRow{errc::kStoreDamaged, 10},      ErrorRow{errc::kIoFailure, 11},
    ErrorRow{errc::kOutcomeUnknown, 11},    ErrorRow{errc::kStoreTooNew, 12},
    ErrorRow{errc::kIndexUnusable, 11},     ErrorRow{errc::kBug, kExitBug},
};

}  // namespace

std::span<const ExitCode> exit_codes() { return kExitCodes; }

std::span<const ErrorRow> error_rows() { return kErrorRows; }

int exit_status(ErrorCode code) {
  const auto row = std::ranges::find(kErrorRows, code, &ErrorRow::code);
  return row == kErrorRows.end() ? kExitBug : row->status;
}

}  // namespace workctl::cli
