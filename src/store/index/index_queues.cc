// Where READY work stands: in its queue, in the list of what is early, or nowhere.

#include <algorithm>
#include <map>

#include "store/index/index_projection.h"
#include "store/index/keys.h"

namespace workctl::index_tree {

namespace {

std::string queue_of(const WorkloadRow& row) {
  std::string capabilities;
  for (const std::string& capability : row.capabilities) {
    append_number(capabilities, capability.size());
    capabilities += capability;
  }
  return digest_of(digest_of(row.queue.first, row.queue.second), capabilities);
}

std::string queue_entry(const WorkloadRow& row, const std::string& queue) {
  return entry(kQueueEntry, digest_of(row.queue.first, row.queue.second)).append(queue);
}

}  // namespace

Result<bool> IndexProjection::dependencies_met(const WorkloadRow& row) const {
  return dependencies_met(row, {}, {});
}

Result<bool> IndexProjection::dependencies_met(const WorkloadRow& row, std::string_view changed,
                                               std::string_view state) const {
  for (const auto& [id, required] : row.dependencies) {
    if (!changed.empty() && id == changed) {
      if (required != state) return false;
      continue;
    }
    WORKCTL_TRY(const auto other, this->row(id));
    if (!other || other->state != required) return false;
  }
  return true;
}

Result<void> IndexProjection::tell_waiters(const std::string& id, const std::string& before,
                                           const std::string& after) {
  const std::string prefix = entry(kWaiter, digest_of(id));
  std::vector<std::string> waiters;
  WORKCTL_CHECK(tree_->walk(prefix, [&](std::string_view key, std::string_view) {
    waiters.emplace_back(key.substr(prefix.size()));
    return true;
  }));
  for (const std::string& waiter : waiters) {
    if (waiter == id) continue;
    WORKCTL_TRY(const auto row, this->row(waiter));
    if (!row || !row->is_ready()) continue;
    WORKCTL_TRY(const bool met_before, dependencies_met(*row, id, before));
    WORKCTL_TRY(const bool met_after, dependencies_met(*row, id, after));
    if (met_before && !met_after) WORKCTL_CHECK(dequeue(*row));
    if (!met_before && met_after) WORKCTL_CHECK(enqueue(*row));
  }
  return {};
}

Result<void> IndexProjection::enqueue(const WorkloadRow& row) {
  const std::string queue = queue_of(row);
  if (!row.eligible_at) return stand_in_queue(row, queue, {});
  return tree_->put(timed(kEarly, *row.eligible_at, order_bytes(row.order)), queue);
}

Result<void> IndexProjection::dequeue(const WorkloadRow& row) {
  if (row.eligible_at) {
    WORKCTL_TRY(const bool was_early,
                tree_->erase(timed(kEarly, *row.eligible_at, order_bytes(row.order))));
    if (was_early) return {};
  }
  return leave_queue(row, queue_of(row));
}

Result<void> IndexProjection::stand_in_queue(const WorkloadRow& row, const std::string& queue,
                                             std::string_view eligible_at) {
  const std::string key = queue_entry(row, queue);
  WORKCTL_TRY(const auto known, tree_->get(key));
  if (!known) WORKCTL_CHECK(tree_->put(key, encode(row.capabilities)));
  return tree_->put(entry(kQueue, queue).append(order_bytes(row.order)), eligible_at);
}

Result<void> IndexProjection::leave_queue(const WorkloadRow& row, const std::string& queue) {
  const std::string prefix = entry(kQueue, queue);
  WORKCTL_CHECK(tree_->erase(prefix + order_bytes(row.order)));
  bool empty = true;
  WORKCTL_CHECK(tree_->walk(prefix, [&](std::string_view, std::string_view) {
    empty = false;
    return false;
  }));
  if (empty) WORKCTL_CHECK(tree_->erase(queue_entry(row, queue)));
  return {};
}

Result<void> IndexProjection::demote_all() {
  std::map<std::string, std::vector<std::string>> queued;
  WORKCTL_CHECK(tree_->walk(entry(kQueue), [&](std::string_view key, std::string_view eligible_at) {
    if (!eligible_at.empty())
      queued[std::string(key.substr(1, kDigestBytes))].emplace_back(key.substr(1 + kDigestBytes));
    return true;
  }));
  for (const auto& [queue, orders] : queued) WORKCTL_CHECK(demote(queue, orders));
  return {};
}

Result<void> IndexProjection::promote(Instant now) {
  std::vector<std::string> ripe;
  WORKCTL_CHECK(tree_->walk(entry(kEarly), [&](std::string_view key, std::string_view) {
    if (read_instant(key.substr(1)) > now) return false;
    ripe.emplace_back(key);
    return true;
  }));
  if (ripe.empty()) return {};
  WORKCTL_CHECK(writable());
  for (const std::string& key : ripe) {
    const std::string order = key.substr(1 + kNumberBytes);
    const std::string id = read_order(order).id;
    WORKCTL_TRY(const auto row, this->row(id));
    if (!row) return tree_->trouble("a queue names work that is not there");
    WORKCTL_CHECK(tree_->erase(key));
    WORKCTL_CHECK(stand_in_queue(*row, queue_of(*row), key.substr(1, kNumberBytes)));
  }
  return {};
}

Result<void> IndexProjection::demote(const std::string& queue,
                                     const std::vector<std::string>& unripe) {
  if (unripe.empty()) return {};
  WORKCTL_CHECK(writable());
  for (const std::string& order : unripe) {
    WORKCTL_TRY(const auto row, this->row(read_order(order).id));
    if (!row || !row->eligible_at) return tree_->trouble("a queue names work that is not there");
    WORKCTL_CHECK(leave_queue(*row, queue));
    WORKCTL_CHECK(tree_->put(timed(kEarly, *row->eligible_at, order), queue));
  }
  return {};
}

/// The first `limit` of a queue; what the clock makes early again is moved out of it.
Result<std::vector<std::string>> IndexProjection::heads(const std::string& queue, Instant now,
                                                        std::size_t limit) {
  const std::string prefix = entry(kQueue, queue);
  std::vector<std::string> found;
  std::vector<std::string> unripe;
  WORKCTL_CHECK(tree_->walk(prefix, [&](std::string_view key, std::string_view eligible_at) {
    const std::string_view order = key.substr(prefix.size());
    const bool early = !eligible_at.empty() && read_instant(eligible_at) > now;
    (early ? unripe : found).emplace_back(order);
    return found.size() < limit;
  }));
  WORKCTL_CHECK(demote(queue, unripe));
  return found;
}

Result<std::vector<std::string>> IndexProjection::ready(const ReadyQuery& query,
                                                        std::size_t limit) {
  std::vector<std::string> ids;
  if (limit == 0) return ids;
  WORKCTL_CHECK(promote(query.now));
  const std::string prefix = entry(kQueueEntry, digest_of(query.tenant, query.application));
  std::vector<std::string> queues;
  WORKCTL_CHECK(tree_->walk(prefix, [&](std::string_view key, std::string_view value) {
    const std::vector<std::string> asked = read_texts(value);
    const bool capable = std::all_of(
        asked.begin(), asked.end(),
        [&](const std::string& capability) { return query.capabilities.contains(capability); });
    if (capable) queues.emplace_back(key.substr(prefix.size()));
    return true;
  }));
  std::vector<std::string> orders;
  for (const std::string& queue : queues) {
    WORKCTL_TRY(const auto first, heads(queue, query.now, limit));
    orders.insert(orders.end(), first.begin(), first.end());
  }
  std::sort(orders.begin(), orders.end());
  if (orders.size() > limit) orders.resize(limit);
  for (const std::string& order : orders) ids.push_back(read_order(order).id);
  return ids;
}

}  // namespace workctl::index_tree
