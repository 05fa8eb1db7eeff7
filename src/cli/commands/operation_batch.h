#pragma once

/// `workctl batch`: operations as JSON lines in, what became of each as JSON lines out.

#include <memory>
#include <vector>

#include "cli/arguments.h"
#include "cli/context.h"
#include "cli/line_reader.h"
#include "workctl/workload/authority.h"
#include "workctl/workload/operation_request.h"

namespace workctl::cli {

class OperationBatch {
 public:
  struct Options {
    std::uint64_t sync_every = 1;  ///< operations that share a commit, at most
    bool shows_changes = false;    ///< add `changed` and `store_sha256` to each answer
  };
  /// `context` must outlive it.
  OperationBatch(Options options, Context& context, int input);

  /// Answers each operation in its turn and as soon as it is durable; what was done is committed,
  /// and the lock let go, before it waits for input. Gives the status to end with: that of the last
  /// failure of the store, else 2 when a line was no operation, else 0.
  Result<int> run();

  /// Reads everything, then does all of it in one commit, or nothing. Gives the status of the
  /// operation that failed, or 0.
  Result<int> run_atomic();

 private:
  /// An operation that was carried out, or a line that is none, and is yet to be answered.
  struct Pending {
    Result<Json> outcome;
    Json changes{};              ///< members that `--changed` adds, or null
    std::uint64_t bad_line = 0;  ///< number of a line that is no operation
  };

  Result<OperationRequest> read(const LineReader::Line& line) const;
  void take(const LineReader::Line& line);
  void execute(OperationRequest request);
  Pending run_in_session(OperationRequest request);
  Json changes(const std::vector<std::string>& ids);
  void settle();
  void print_pending();

  Options options_;
  Context& context_;
  LineReader reader_;
  std::unique_ptr<Session> session_{};
  std::vector<Pending> pending_{};
  bool output_closed_ = false;
  int status_ = 0;
};

}  // namespace workctl::cli
