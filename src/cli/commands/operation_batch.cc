#include "cli/commands/operation_batch.h"

#include <fmt/format.h>

#include "cli/exit_codes.h"
#include "workctl/workload/store_digest.h"

namespace workctl::cli {

namespace {

/// Staged bytes at which operations are committed, however many may still share the commit.
constexpr std::uint64_t kStagedBytesMax = kLineBytesMax / 4;

}  // namespace

OperationBatch::OperationBatch(Options options, Context& context, int input)
    : options_(options), context_(context), reader_(input, kInputBytesMax) {}

Result<OperationRequest> OperationBatch::read(const LineReader::Line& line) const {
  const auto as_request = [&]() -> Result<OperationRequest> {
    WORKCTL_TRY(Json json, parse_line(line, kInputBytesMax));
    return OperationRequest::from_json(std::move(json));
  };
  Result<OperationRequest> request = as_request();
  if (!request) {
    request.error().code = errc::kWorkloadInvalid;
    request.error().message = fmt::format("line {}: {}", line.number, request.error().message);
  }
  return request;
}

Result<int> OperationBatch::run() {
  while (!output_closed_) {
    if (!reader_.ready()) settle();
    WORKCTL_TRY(const std::optional<LineReader::Line> line, reader_.next());
    if (!line) break;
    take(*line);
  }
  settle();
  return status_;
}

void OperationBatch::take(const LineReader::Line& line) {
  Result<OperationRequest> request = read(line);
  if (!request) {
    pending_.push_back({.outcome = std::unexpected(request.error()), .bad_line = line.number});
    if (status_ == kExitDone) status_ = kExitInvalid;
  } else {
    execute(*std::move(request));
  }
  const bool full = session_ != nullptr && session_->staged_bytes() >= kStagedBytesMax;
  if (full || pending_.size() >= options_.sync_every) settle();
}

void OperationBatch::execute(OperationRequest request) {
  const bool reopens = request.reopens();
  if (reopens) settle();
  if (session_ == nullptr) {
    Result<std::unique_ptr<Session>> session = context_.begin();
    if (!session) {
      status_ = exit_status(session.error().code);
      pending_.push_back({.outcome = std::unexpected(session.error())});
      return;
    }
    session_ = *std::move(session);
  }
  pending_.push_back(run_in_session(std::move(request)));
  if (!reopens) return;
  settle();
  // Where the store cannot be opened, the next operation says so.
  (void)context_.open();
}

OperationBatch::Pending OperationBatch::run_in_session(OperationRequest request) {
  Authority authority(*session_);
  OperationOutcome outcome = std::move(request).run({.authority = authority,
                                                     .view = *session_,
                                                     .session = session_.get(),
                                                     .now = context_.now(),
                                                     .checks_trust = true,
                                                     .migration_line_bytes = kStagedBytesMax});
  return {.outcome = std::move(outcome.answer),
          .changes = options_.shows_changes ? changes(outcome.changed) : Json()};
}

Json OperationBatch::changes(const std::vector<std::string>& ids) {
  Json changed = Json::object();
  for (const std::string& id : ids) {
    const Result<std::optional<Json>> document = versioned_document(*session_, id);
    if (document && *document) changed[id] = **document;
  }
  const Result<std::string> digest = store_digest(*session_);
  return {{"changed", std::move(changed)}, {"store_sha256", digest ? Json(*digest) : Json()}};
}

/// Makes what was done durable, lets go of the lock and answers.
void OperationBatch::settle() {
  if (session_ != nullptr) {
    const Result<void> committed = session_->commit();
    session_.reset();
    if (!committed) {
      status_ = exit_status(committed.error().code);
      for (Pending& pending : pending_)
        if (pending.bad_line == 0) pending = {.outcome = std::unexpected(committed.error())};
    }
  }
  print_pending();
}

void OperationBatch::print_pending() {
  for (Pending& pending : pending_) {
    Json answer = pending.changes.is_null() ? Json::object() : std::move(pending.changes);
    if (pending.outcome)
      answer["ok"] = *std::move(pending.outcome);
    else
      answer["error"] = error_json(pending.outcome.error());
    if (pending.bad_line != 0) answer["line"] = pending.bad_line;
    context_.output().item(std::move(answer));
  }
  pending_.clear();
  output_closed_ = !context_.output().flush();
}

Result<int> OperationBatch::run_atomic() {
  // Everything is read before the lock is taken, so that it is not held while waiting for input.
  constexpr std::uint64_t kAtomicBytesMax = kLineBytesMax / 2;
  std::vector<LineReader::Line> lines;
  std::uint64_t bytes = 0;
  for (;;) {
    WORKCTL_TRY(std::optional<LineReader::Line> line, reader_.next());
    if (!line) break;
    bytes += line->bytes;
    if (bytes > kAtomicBytesMax)
      return failure(
          errc::kTooLarge,
          fmt::format("--atomic: the operations take more than {} bytes, the limit of one "
                      "commit",
                      kAtomicBytesMax));
    lines.push_back(*std::move(line));
  }
  WORKCTL_TRY(session_, context_.begin());

  const LineReader::Line* failed = nullptr;
  for (const LineReader::Line& line : lines) {
    Result<OperationRequest> request = read(line);
    if (request && request->reopens())
      request = failure(errc::kWorkloadInvalid,
                        fmt::format("line {}: {} cannot be part of an atomic batch", line.number,
                                    request->name()));
    pending_.push_back(
        request ? run_in_session(*std::move(request))
                : Pending{.outcome = std::unexpected(request.error()), .bad_line = line.number});
    if (pending_.back().outcome) continue;
    failed = &line;
    break;
  }
  if (failed == nullptr) {
    settle();
    return status_;
  }
  session_.reset();
  Pending reason = std::move(pending_.back());
  const int status = exit_status(reason.outcome.error().code);
  const Error others{
      errc::kNotCommitted,
      fmt::format("not committed: line {} failed, and --atomic commits all or nothing",
                  failed->number)};
  const std::size_t place = pending_.size() - 1;
  pending_.assign(lines.size(), {.outcome = std::unexpected(others)});
  pending_[place] = std::move(reason);
  print_pending();
  return status;
}

}  // namespace workctl::cli
