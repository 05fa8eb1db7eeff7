#pragma once

/// The stores that traces are played on.

#include <memory>
#include <string>

#include "workctl/workload/operation_request.h"

namespace workctl {

/// A store as traces see it: one or several writers, each named by its handle (the first by none).
class TraceStore {
 public:
  virtual ~TraceStore() = default;
  /// Whether it can have more than one writer.
  virtual bool has_handles() const = 0;
  virtual Result<void> open(const std::string& handle) = 0;
  /// Carries out an operation and makes it durable.
  virtual OperationOutcome run(const std::string& handle, OperationRequest request) = 0;
  /// Drops everything in memory and every handle, and opens the store again.
  virtual Result<void> reopen() = 0;
  /// What is stored, whoever knows it.
  virtual Result<View*> stored() = 0;
};

/// In memory; each writer keeps a copy of the documents that it learnt of.
std::unique_ptr<TraceStore> make_memory_trace_store();
/// The local engine on a directory that is removed at the end, one session an operation.
std::unique_ptr<TraceStore> make_local_trace_store();

}  // namespace workctl
