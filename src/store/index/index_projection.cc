#include "store/index/index_projection.h"

#include <fmt/format.h>

#include <algorithm>

#include "journal/log_format.h"
#include "store/index/keys.h"

namespace workctl::index_tree {

namespace {

constexpr std::size_t kDocumentsMax = 32;  ///< that are kept as read

/// What a row puts into the tree, but for its place in a queue.
std::vector<std::pair<std::string, std::string>> entries_of(const WorkloadRow& row) {
  const std::string& id = row.order.id;
  const std::string order = order_bytes(row.order);
  std::vector<std::pair<std::string, std::string>> entries;
  const auto add = [&](std::string key, std::string_view value) {
    entries.emplace_back(std::move(key), value);
  };
  add(entry(kOrder, order), {});
  add(entry(kState, digest_of(row.state)).append(order), {});
  if (!row.scope.empty()) add(entry(kScope, digest_of(row.scope)), id);
  if (row.result_id) add(entry(kResult, digest_of(*row.result_id)), id);
  if (row.lease_expires_at) add(timed(kLease, *row.lease_expires_at, id), {});
  if (row.timeout_at) add(timed(kTimeout, *row.timeout_at, id), {});
  if (row.ended_at) add(timed(kEnded, *row.ended_at, id), {});
  if (row.is_ready()) add(timed(kReadySince, row.ready_since(), id), {});
  if (!row.ended_at) {
    for (const auto& [dependency, state] : row.dependencies)
      add(entry(kWaiter, digest_of(dependency)).append(id), {});
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}

}  // namespace

Result<void> IndexProjection::attach(lmdb::Transaction* transaction) {
  tree_ = transaction;
  changed_ = false;
  documents_.clear();
  if (tree_ == nullptr) return {};
  WORKCTL_TRY(const auto stored, tree_->get(entry(kPosition)));
  state_ = stored ? read_state(*stored) : State();
  set_position(state_.position.revision, state_.position.at);
  return {};
}

void IndexProjection::move_to(lmdb::Transaction& transaction) { tree_ = &transaction; }

Result<void> IndexProjection::save(const LogPosition& position) {
  state_.position = position;
  return tree_->put(entry(kPosition), encode(state_));
}

Result<void> IndexProjection::writable() {
  if (tree_->access() == lmdb::Access::kRead) WORKCTL_CHECK(make_writable_());
  changed_ = true;
  return {};
}

void IndexProjection::set_position(std::uint64_t revision, Instant at) {
  revision_ = revision;
  last_commit_at_ = at;
}

Result<void> IndexProjection::clear() {
  WORKCTL_CHECK(writable());
  documents_.clear();
  state_ = State();
  set_position(0, 0);
  return tree_->clear();
}

// Documents.

Result<std::uint64_t> IndexProjection::version(std::string_view collection, std::string_view key) {
  WORKCTL_TRY(const auto stored, tree_->get(document(collection, key)));
  return stored ? read_document(*stored).version : 0;
}

Result<const Json*> IndexProjection::find(std::string_view collection, std::string_view key) {
  std::string name = document(collection, key);
  if (const auto known = documents_.find(name); known != documents_.end()) return &known->second;
  WORKCTL_TRY(const auto stored, tree_->get(name));
  if (!stored) return nullptr;
  const Document record = read_document(*stored);
  if (!record.text) return nullptr;
  auto parsed = parse_json(*record.text, key, log_format::kNestingMax);
  if (!parsed) return tree_->trouble(parsed.error().message);
  if (documents_.size() >= kDocumentsMax) documents_.clear();
  return &documents_.emplace(std::move(name), std::move(*parsed)).first->second;
}

Result<std::optional<Json>> IndexProjection::take(std::string_view collection,
                                                  std::string_view key) {
  WORKCTL_TRY(const Json* const found, find(collection, key));
  if (found == nullptr) return std::nullopt;
  return std::move(documents_.extract(document(collection, key)).mapped());
}

Result<void> IndexProjection::each(const Visit& visit) {
  Result<void> seen;
  WORKCTL_CHECK(tree_->walk(entry(kDocument), [&](std::string_view key, std::string_view value) {
    const std::size_t end = key.find('\0');
    const Document record = read_document(value);
    seen = visit(key.substr(1, end - 1), key.substr(end + 1), record.version, record.text);
    return seen.has_value();
  }));
  return seen;
}

Result<std::optional<WorkloadRow>> IndexProjection::row(std::string_view id) const {
  WORKCTL_TRY(const auto stored, tree_->get(document(kWorkloads, id)));
  if (!stored) return std::nullopt;
  const Document record = read_document(*stored);
  if (!record.text) return std::nullopt;
  return read_row(record.row, id);
}

Result<void> IndexProjection::put(std::string_view collection, std::string_view key,
                                  std::uint64_t version, std::optional<Json> document) {
  if (collection.size() > kCollectionBytesMax || key.size() > kKeyBytesMax ||
      collection.find('\0') != collection.npos)
    return tree_->trouble(fmt::format("a key of {} bytes is too long for it", key.size()));
  WORKCTL_CHECK(writable());
  const std::string name = index_tree::document(collection, key);
  const bool is_workload = collection == kWorkloads;

  std::optional<WorkloadRow> before;
  bool met_before = false;
  WORKCTL_TRY(const auto stored, tree_->get(name));
  if (stored) {
    const Document record = read_document(*stored);
    if (record.text) {
      state_.documents -= 1;
      state_.document_bytes -= record.text->size();
      if (is_workload) before = read_row(record.row, key);
    }
  }
  if (before && before->is_ready()) {
    WORKCTL_TRY(met_before, dependencies_met(*before));
  }

  std::optional<WorkloadRow> after;
  bool met_after = false;
  Document record{.version = version};
  std::string text;
  std::string row;
  if (document) {
    text = canonical_text(*document);
    state_.documents += 1;
    state_.document_bytes += text.size();
    if (is_workload) {
      after = make_row(key, *document);
      row = encode(*after);
    }
    record.row = row;
    record.text = text;
  }
  WORKCTL_CHECK(tree_->put(name, encode(record)));
  if (document && documents_.size() < kDocumentsMax) {
    documents_.insert_or_assign(name, std::move(*document));
  } else {
    documents_.erase(name);
  }
  if (after && after->is_ready()) {
    WORKCTL_TRY(met_after, dependencies_met(*after));
  }
  WORKCTL_CHECK(replace_entries(before ? &*before : nullptr, met_before, after ? &*after : nullptr,
                                met_after));
  const std::string state_before = before ? before->state : "";
  const std::string state_after = after ? after->state : "";
  if (is_workload && state_before != state_after)
    return tell_waiters(std::string(key), state_before, state_after);
  return {};
}

Result<void> IndexProjection::replace_entries(const WorkloadRow* before, bool met_before,
                                              const WorkloadRow* after, bool met_after) {
  const Entries old_entries = before != nullptr ? entries_of(*before) : Entries();
  const Entries new_entries = after != nullptr ? entries_of(*after) : Entries();
  for (const auto& entry : old_entries) {
    if (std::binary_search(new_entries.begin(), new_entries.end(), entry)) continue;
    const char kind = entry.first.front();
    if (kind == kScope || kind == kResult) {  // not what another has meanwhile
      WORKCTL_TRY(const auto owner, tree_->get(entry.first));
      if (!owner || *owner != entry.second) continue;
    }
    WORKCTL_CHECK(tree_->erase(entry.first));
  }
  for (const auto& [key, value] : new_entries) {
    if (std::binary_search(old_entries.begin(), old_entries.end(), std::pair(key, value))) continue;
    WORKCTL_CHECK(tree_->put(key, value));
  }
  const bool queued_before = before != nullptr && before->is_ready() && met_before;
  const bool queued_after = after != nullptr && after->is_ready() && met_after;
  const bool same_place =
      queued_before && queued_after && before->eligible_at == after->eligible_at &&
      order_bytes(before->order) == order_bytes(after->order) && before->queue == after->queue &&
      before->capabilities == after->capabilities;
  if (!same_place) {
    if (queued_before) WORKCTL_CHECK(dequeue(*before));
    if (queued_after) WORKCTL_CHECK(enqueue(*after));
  }
  const bool same_count = before != nullptr && after != nullptr && before->queue == after->queue &&
                          before->state == after->state;
  if (!same_count) {
    if (before != nullptr) WORKCTL_CHECK(count_state(*before, -1));
    if (after != nullptr) WORKCTL_CHECK(count_state(*after, 1));
  }
  return {};
}

Result<void> IndexProjection::count_state(const WorkloadRow& row, std::int64_t change) {
  const std::string key =
      entry(kCount, digest_of(row.queue.first, row.queue.second)).append(digest_of(row.state));
  WORKCTL_TRY(const auto stored, tree_->get(key));
  Count count =
      stored ? read_count(*stored) : Count{.count = 0, .queue = row.queue, .state = row.state};
  count.count += static_cast<std::uint64_t>(change);
  if (count.count == 0) {
    WORKCTL_CHECK(tree_->erase(key));
    return {};
  }
  return tree_->put(key, encode(count));
}

}  // namespace workctl::index_tree
