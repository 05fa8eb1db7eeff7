#include "workctl/workload/migration.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "workctl/base/text.h"
#include "workctl/journal/journal.h"
#include "workctl/workload/workload.h"
#include "workload/audit.h"
#include "workload/shape.h"

namespace workctl {
namespace {

constexpr std::uint64_t kProgressEvery = 1024;

constexpr Shape kAnyMembers{{}, Unknown::kKept};
constexpr Member kFileMembers[] = {
    {.name = "workloads", .type = Type::kObject, .fallback = "{}", .shape = &kAnyMembers},
    {.name = "idempotency", .type = Type::kTextMap, .fallback = "{}"},
    {.name = "result_ids", .type = Type::kTextMap, .fallback = "{}"},
    {.name = "event_sequence", .type = Type::kU64, .fallback = "0"}};
constexpr Shape kFile{kFileMembers};

struct Entry {
  std::string key;  ///< under which the file has it
  Workload workload;
  bool stored = false;
};
using Entries = std::vector<Entry>;

class Progress {
 public:
  Progress(const MigrationProgress& sink, std::string_view stage, std::uint64_t count)
      : sink_(sink), stage_(stage), count_(count) {}

  void step() {
    ++done_;
    if (sink_ && (done_ % kProgressEvery == 0 || done_ == count_)) sink_(stage_, done_, count_);
  }

 private:
  const MigrationProgress& sink_;
  std::string_view stage_;
  std::uint64_t count_;
  std::uint64_t done_ = 0;
};

std::unexpected<Error> unreadable(std::string_view fault) {
  return failure(errc::kDocumentUnreadable,
                 fmt::format("the legacy file cannot be read: {}", fault));
}

std::unexpected<Error> conflict(std::string message) {
  return failure(errc::kMigrationConflict, std::move(message));
}

/// The file's workloads, whole and checked each by itself, in the order of their keys.
Result<Entries> read_entries(Json& file, const MigrationProgress& sink) {
  if (!file.is_object()) return unreadable("it is not an object");
  fill_in(file, kFile);
  if (const auto fault = find_fault(file, kFile)) return unreadable(*fault);
  auto& documents = file.at("workloads").get_ref<Json::object_t&>();
  Entries entries;
  entries.reserve(documents.size());
  Progress progress(sink, "read", documents.size());
  for (auto& [key, document] : documents) {
    auto workload = Workload::from_legacy(std::move(document));
    if (!workload) {
      Error error = std::move(workload).error();
      error.message = fmt::format("the legacy file's entry {}: {}", printable(key), error.message);
      return std::unexpected(std::move(error));
    }
    entries.push_back({key, std::move(*workload)});
    progress.step();
  }
  return entries;
}

/// The members that the file derives from its workloads, made anew from them. Scopes are in the
/// form of the reference implementation, in which several workloads may have one.
Json derive(const Entries& entries) {
  Json scopes = Json::object();
  Json results = Json::object();
  std::uint64_t event_sequence = 0;
  for (const auto& [key, workload, stored] : entries) {
    scopes[fmt::format("{}:{}:{}", workload.tenant(), workload.application(),
                       workload.idempotency_key())] = workload.id();
    if (const auto result = workload.result_id()) results[*result] = workload.id();
    for (const Json& event : workload.document().at("execution_history"))
      event_sequence = std::max(event_sequence, event.at("sequence").get<std::uint64_t>());
  }
  return {{"idempotency", std::move(scopes)},
          {"result_ids", std::move(results)},
          {"event_sequence", event_sequence}};
}

Result<void> check_derived(const Json& file, const Entries& entries) {
  const Json expected = derive(entries);
  for (const auto& [name, derived] : expected.items())
    if (file.at(name) != derived)
      return conflict(fmt::format("the legacy file's {} does not match its workloads", name));
  return {};
}

/// Idempotency scopes and result ids, and whose they are.
class Owners {
 public:
  /// Whether `name` is free, or belongs to `id` already. It belongs to `id` from now on.
  bool take(std::string name, const std::string& id) {
    return owners_.try_emplace(std::move(name), id).first->second == id;
  }

 private:
  std::unordered_map<std::string, std::string> owners_;
};

/// `what` is "idempotency key" or "result id R".
Result<void> check_owner(const Result<std::optional<std::string>>& owner, const Workload& workload,
                         const std::string& what) {
  if (!owner) return std::unexpected(owner.error());
  if (!*owner || **owner == workload.id()) return {};
  return conflict(fmt::format("the {} of workload {} belongs to stored workload {}", what,
                              printable(workload.id()), printable(**owner)));
}

/// What the whole file and the store say about each workload.
class Checker {
 public:
  explicit Checker(Session& session) : session_(session) {}

  Result<void> check(Entry& entry) {
    const Workload& workload = entry.workload;
    const std::string id = printable(workload.id());
    if (entry.key != workload.id())
      return conflict(
          fmt::format("the legacy file has workload {} under {}", id, printable(entry.key)));
    if (!scopes_.take(workload.scope(), workload.id()))
      return conflict(
          fmt::format("the legacy file has another workload with the idempotency key of {}", id));
    const auto result = workload.result_id();
    if (result && !results_.take(*result, workload.id()))
      return conflict(
          fmt::format("the legacy file has another workload with the result id {} of {}",
                      printable(*result), id));
    WORKCTL_CHECK(
        check_owner(session_.find_by_scope(workload.scope()), workload, "idempotency key"));
    if (result)
      WORKCTL_CHECK(check_owner(session_.find_by_result(*result), workload,
                                "result id " + printable(*result)));
    return check_stored(entry);
  }

 private:
  Result<void> check_stored(Entry& entry) {
    const Workload& workload = entry.workload;
    WORKCTL_TRY(const auto stored, session_.get(kWorkloads, workload.id()));
    entry.stored = stored.has_value();
    if (stored && !same_value(stored->document, workload.document()))
      return conflict(
          fmt::format("workload {} is stored already, in another form", printable(workload.id())));
    if (stored) return {};
    const std::size_t bytes = canonical_text(workload.document()).size();
    if (bytes > kDocumentBytesMax)
      return failure(errc::kTooLarge,
                     fmt::format("workload {} takes {} bytes, over the limit of {}",
                                 printable(workload.id()), bytes, kDocumentBytesMax));
    return {};
  }

  Session& session_;
  Owners scopes_;
  Owners results_;
};

Transaction import_of(Workload workload, Instant now) {
  Json audit = make_audit(kWorkloadMigration, "workload.migrate", workload);
  audit["source_kind"] = "legacy_file";
  audit["migration_outcome"] = "imported";
  std::string id = workload.id();
  Transaction transaction{now, {}};
  transaction.writes.push_back(
      {std::string(kWorkloads), std::move(id), 0, std::move(workload).take(), std::move(audit)});
  return transaction;
}

Result<MigrationReport> write(Session& session, Entries entries, Instant now,
                              std::uint64_t line_bytes, const MigrationProgress& sink) {
  MigrationReport report;
  Progress progress(sink, "write", entries.size());
  for (Entry& entry : entries) {
    progress.step();
    if (entry.stored) {
      ++report.skipped;
      continue;
    }
    report.imported.push_back(std::move(entry.key));
    WORKCTL_CHECK(session.stage(import_of(std::move(entry.workload), now)));
    if (session.staged_bytes() >= line_bytes) WORKCTL_CHECK(session.commit());
  }
  return report;
}

}  // namespace

Result<MigrationReport> migrate_document(Session& session, Json legacy, Instant now,
                                         std::uint64_t line_bytes,
                                         const MigrationProgress& progress) {
  WORKCTL_TRY(auto entries, read_entries(legacy, progress));
  WORKCTL_CHECK(check_derived(legacy, entries));
  Checker checker(session);
  Progress checking(progress, "check", entries.size());
  for (Entry& entry : entries) {
    if (auto checked = checker.check(entry); !checked) {
      checked.error().workload_id = entry.workload.id();
      return std::unexpected(std::move(checked).error());
    }
    checking.step();
  }
  return write(session, std::move(entries), now, line_bytes, progress);
}

Result<MigrationReport> migrate(Session& session, std::string_view legacy_text, Instant now,
                                std::uint64_t line_bytes, const MigrationProgress& progress) {
  auto legacy = parse_json(legacy_text, "legacy file");
  if (!legacy) {
    Error error = std::move(legacy).error();
    error.code = errc::kDocumentUnreadable;
    return std::unexpected(std::move(error));
  }
  return migrate_document(session, std::move(*legacy), now, line_bytes, progress);
}

}  // namespace workctl
