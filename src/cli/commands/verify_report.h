#pragma once

// What `verify` and `repair` say about a log.

#include <memory>
#include <optional>
#include <string>

#include "cli/context.h"
#include "workctl/journal/verify.h"

namespace workctl::cli {

/// Opens the directory of a store whose log may be damaged. `kStoreNotFound`.
Result<std::unique_ptr<Directory>> open_damaged_store(const Context& context);

/// Reads the whole log, with a bar, handing its commits to `sink`.
Result<VerifyReport> examine_log(Directory& directory, Context& context, CommitSink& sink);

/// What is wrong with the log; nothing for a sound one.
std::optional<ErrorCode> verdict_on(const VerifyReport& report);

/// The report as commands answer it, with `sound`.
Json report_json(const VerifyReport& report);

/// `report_json` for people.
std::string describe_report(const Json& report);

}  // namespace workctl::cli
