#pragma once

/// What a storm leaves: the calls as their callers saw them, and what the log says that happened.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workctl/base/clock.h"
#include "workctl/base/json.h"

namespace workctl {

/// One run of the program. Its instant (`--now`) is its name: no two calls have the same, and the
/// commits that it makes carry it.
struct Call {
  Instant now = 0;
  std::string verb{};      ///< such as `claim`
  std::string words{};     ///< the command line, for people
  std::string workload{};  ///< that it names; empty where it leaves the choice to the program
  std::string claim{};     ///< that it shows, with its worker and token; empty for other verbs
  std::string worker{};
  std::uint64_t token = 0;
  std::string key{};     ///< that it creates work under
  std::string result{};  ///< the id of the result that it brings
  /// By one clock for all calls that never steps: before it was started, after it was waited for.
  std::uint64_t began = 0;
  std::uint64_t ended = 0;
  int status = 0;       ///< exit status
  bool killed = false;  ///< then `status` says nothing
  Json answer{};        ///< what it printed, without the envelope; null for nothing, or not whole

  /// Whether its caller was told that it is done. What a killed process had printed counts.
  bool acknowledged() const { return killed ? !answer.is_null() : status == 0; }
  bool refused() const { return !killed && status != 0; }
};

/// A document before and after a transaction; null where there is none.
struct Change {
  std::string collection{};
  std::string key{};
  std::uint64_t version = 0;
  Json before{};
  Json after{};
};

/// One commit of the log.
struct Transaction {
  std::uint64_t line = 0;  ///< of the log, from 1
  std::uint64_t revision = 0;
  Instant at = 0;
  std::string operation{};  ///< that its audit names, such as `workload.claim`
  std::vector<Change> changes{};
};

struct History {
  std::vector<Call> calls;
  std::vector<Transaction> log;
};

/// Reads a log as workctl-log(5) describes it, with nothing of the library but its JSON type, and
/// up to the last newline. It takes versions and revisions as they are written. `wrong` gets a
/// sentence for what cannot be read at all.
std::vector<Transaction> read_log(const std::string& path, std::vector<std::string>& wrong);

}  // namespace workctl
