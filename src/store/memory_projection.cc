#include "workctl/store/memory_projection.h"

#include <algorithm>

#include "store/list_page.h"
#include "workctl/base/json.h"

namespace workctl {

MemoryProjection::Entry* MemoryProjection::entry(std::string_view collection,
                                                 std::string_view key) {
  const auto documents = collections_.find(collection);
  if (documents == collections_.end()) return nullptr;
  const auto found = documents->second.find(key);
  return found == documents->second.end() ? nullptr : &found->second;
}

const MemoryProjection::Entry* MemoryProjection::entry(std::string_view collection,
                                                       std::string_view key) const {
  return const_cast<MemoryProjection*>(this)->entry(collection, key);
}

Result<const Json*> MemoryProjection::find(std::string_view collection, std::string_view key) {
  const Entry* found = entry(collection, key);
  return found != nullptr && found->document ? &*found->document : nullptr;
}

Result<std::uint64_t> MemoryProjection::version(std::string_view collection, std::string_view key) {
  const Entry* found = entry(collection, key);
  return found != nullptr ? found->version : 0;
}

Result<std::optional<Json>> MemoryProjection::take(std::string_view collection,
                                                   std::string_view key) {
  Entry* found = entry(collection, key);
  if (found == nullptr) return std::nullopt;
  return std::move(found->document);
}

Result<std::optional<std::string>> MemoryProjection::find_by_scope(std::string_view scope) {
  const auto found = by_scope_.find(std::string(scope));
  if (found == by_scope_.end()) return std::nullopt;
  return found->second;
}

Result<std::optional<std::string>> MemoryProjection::find_by_result(std::string_view result_id) {
  const auto found = by_result_.find(std::string(result_id));
  if (found == by_result_.end()) return std::nullopt;
  return found->second;
}

bool MemoryProjection::dependencies_met(const WorkloadRow& row) const {
  return std::all_of(row.dependencies.begin(), row.dependencies.end(), [&](const auto& dependency) {
    const Entry* found = entry(kWorkloads, dependency.first);
    return found != nullptr && found->row && found->row->state == dependency.second;
  });
}

Result<std::vector<std::string>> MemoryProjection::ready(const ReadyQuery& query,
                                                         std::size_t limit) {
  std::vector<std::string> ids;
  const auto queue = queues_.find({query.tenant, query.application});
  if (queue == queues_.end()) return ids;
  for (const OrderKey& order : queue->second) {
    if (ids.size() == limit) break;
    const WorkloadRow& row = *entry(kWorkloads, order.id)->row;
    if (row.eligible_at && *row.eligible_at > query.now) continue;
    const bool capable = std::all_of(
        row.capabilities.begin(), row.capabilities.end(),
        [&](const auto& capability) { return query.capabilities.contains(capability); });
    if (capable && dependencies_met(row)) ids.push_back(order.id);
  }
  return ids;
}

Result<std::vector<std::string>> MemoryProjection::expired_leases(Instant now) {
  std::vector<std::string> ids;
  for (const auto& [expires_at, id] : leases_) {
    if (expires_at > now) break;
    ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

template <class Look>
void MemoryProjection::for_each_row(const Look& look) const {
  for (const OrderKey& order : order_) look(*entry(kWorkloads, order.id)->row);
}

Result<std::vector<std::string>> MemoryProjection::due_timeouts(Instant now) {
  std::vector<std::string> ids;
  for_each_row([&](const WorkloadRow& row) {
    if (row.timeout_at && *row.timeout_at <= now) ids.push_back(row.order.id);
  });
  std::sort(ids.begin(), ids.end());
  return ids;
}

Result<ListPage> MemoryProjection::list(const ListFilter& filter, std::string_view cursor,
                                        std::size_t limit) {
  WORKCTL_TRY(const std::optional<OrderKey> after, decode_cursor(cursor));
  PageBuilder page(cursor, limit);
  for (auto next = after ? order_.upper_bound(*after) : order_.begin(); next != order_.end();
       ++next) {
    if (!matches(filter, *entry(kWorkloads, next->id)->row)) continue;
    if (!page.add(*next)) break;
  }
  return page.take();
}

Result<ListPage> MemoryProjection::ended(const ListFilter& filter, Instant until,
                                         std::string_view cursor, std::size_t limit) {
  WORKCTL_TRY(const std::optional<OrderKey> after, decode_cursor(cursor));
  std::set<OrderKey> found;
  for_each_row([&](const WorkloadRow& row) {
    if (row.ended_at && *row.ended_at <= until && matches(filter, row))
      found.insert(by_end(*row.ended_at, row.order.id));
  });
  PageBuilder page(cursor, limit);
  for (auto next = after ? found.upper_bound(*after) : found.begin(); next != found.end(); ++next)
    if (!page.add(*next)) break;
  return page.take();
}

Result<std::vector<std::string>> MemoryProjection::dependents(std::string_view id) {
  std::vector<std::string> ids;
  for_each_row([&](const WorkloadRow& row) {
    if (!row.ended_at && row.depends_on(id)) ids.push_back(row.order.id);
  });
  std::sort(ids.begin(), ids.end());
  return ids;
}

Result<std::vector<StateCount>> MemoryProjection::counts() {
  std::map<std::tuple<std::string, std::string, std::string>, std::uint64_t> numbers;
  for_each_row([&](const WorkloadRow& row) {
    ++numbers[{row.queue.first, row.queue.second, row.state}];
  });
  std::vector<StateCount> counts;
  for (const auto& [of, count] : numbers)
    counts.push_back({std::get<0>(of), std::get<1>(of), std::get<2>(of), count});
  return counts;
}

Result<std::optional<Instant>> MemoryProjection::oldest_ready() {
  std::optional<Instant> oldest;
  for_each_row([&](const WorkloadRow& row) {
    if (row.is_ready()) oldest = std::min(row.ready_since(), oldest.value_or(INT64_MAX));
  });
  return oldest;
}

Result<StoredSize> MemoryProjection::size() {
  StoredSize size;
  for (const auto& [name, documents] : collections_) {
    for (const auto& [key, entry] : documents) {
      if (!entry.document) continue;
      size.documents += 1;
      size.bytes += canonical_text(*entry.document).size();
    }
  }
  return size;
}

Result<std::vector<std::string>> MemoryProjection::keys(std::string_view collection) {
  std::vector<std::string> keys;
  if (const auto documents = collections_.find(collection); documents != collections_.end()) {
    for (const auto& [key, entry] : documents->second) {
      if (entry.document) keys.push_back(key);
    }
  }
  return keys;
}

void MemoryProjection::index(const std::string& key, Entry& entry) {
  entry.row = make_row(key, *entry.document);
  const WorkloadRow& row = *entry.row;
  order_.insert(row.order);
  if (!row.scope.empty()) by_scope_.emplace(row.scope, key);
  if (row.result_id) by_result_.emplace(*row.result_id, key);
  if (row.is_ready()) queues_[row.queue].insert(row.order);
  if (row.lease_expires_at) leases_.emplace(*row.lease_expires_at, key);
}

void MemoryProjection::unindex(const std::string& key, const Entry& entry) {
  if (!entry.row) return;
  const WorkloadRow& row = *entry.row;
  order_.erase(row.order);
  const auto forget = [&](auto& owners, const std::string& owned) {
    const auto owner = owners.find(owned);
    if (owner != owners.end() && owner->second == key) owners.erase(owner);
  };
  forget(by_scope_, row.scope);
  if (row.result_id) forget(by_result_, *row.result_id);
  if (const auto queue = queues_.find(row.queue); queue != queues_.end()) {
    queue->second.erase(row.order);
    if (queue->second.empty()) queues_.erase(queue);
  }
  if (row.lease_expires_at) leases_.erase({*row.lease_expires_at, key});
}

Result<void> MemoryProjection::put(std::string_view collection, std::string_view key,
                                   std::uint64_t version, std::optional<Json> document) {
  auto documents = collections_.find(collection);
  if (documents == collections_.end()) {
    documents = collections_.emplace(std::string(collection), Collection()).first;
  }
  auto found = documents->second.find(key);
  if (found == documents->second.end()) {
    found = documents->second.emplace(std::string(key), Entry()).first;
  }
  auto& [name, entry] = *found;
  unindex(name, entry);
  entry.version = version;
  entry.row.reset();
  entry.document = std::move(document);
  if (collection == kWorkloads && entry.document) index(name, entry);
  return {};
}

Result<void> MemoryProjection::each(const Visit& visit) {
  for (const auto& [collection, documents] : collections_) {
    for (const auto& [key, entry] : documents) {
      if (entry.document) {
        WORKCTL_CHECK(visit(collection, key, entry.version, canonical_text(*entry.document)));
      } else {
        WORKCTL_CHECK(visit(collection, key, entry.version, std::nullopt));
      }
    }
  }
  return {};
}

void MemoryProjection::set_position(std::uint64_t revision, Instant at) {
  revision_ = revision;
  last_commit_at_ = at;
}

Result<void> MemoryProjection::clear() {
  *this = MemoryProjection();
  return {};
}

}  // namespace workctl
