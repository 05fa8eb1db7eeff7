#include "workctl/store/memory_projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "workctl/base/json_patch.h"

namespace workctl {

namespace {

constexpr std::string_view kReadyState = "READY";

std::string encode_cursor(const OrderKey& key) {
  return fmt::format("{}:{}:{}", key.priority, key.created_at, key.id);
}

Result<OrderKey> decode_cursor(std::string_view cursor) {
  OrderKey key{};
  const char* const end = cursor.data() + cursor.size();
  const auto priority = std::from_chars(cursor.data(), end, key.priority);
  if (priority.ec == std::errc() && priority.ptr != end && *priority.ptr == ':') {
    const auto created = std::from_chars(priority.ptr + 1, end, key.created_at);
    if (created.ec == std::errc() && created.ptr != end && *created.ptr == ':') {
      key.id.assign(created.ptr + 1, end);
      return key;
    }
  }
  return failure(
      errc::kInvalidInput,
      fmt::format("\"{}\" is no cursor of a list: use the one that the page before gave", cursor));
}

bool matches(const ListFilter& filter, const WorkloadRow& row) {
  return (!filter.tenant || *filter.tenant == row.queue.first) &&
         (!filter.application || *filter.application == row.queue.second) &&
         (!filter.definition || *filter.definition == row.definition) &&
         (filter.states.empty() || filter.states.contains(row.state));
}

}  // namespace

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

const Json* MemoryProjection::find(std::string_view collection, std::string_view key) const {
  const Entry* found = entry(collection, key);
  return found != nullptr && found->document ? &*found->document : nullptr;
}

std::uint64_t MemoryProjection::version(std::string_view collection, std::string_view key) const {
  const Entry* found = entry(collection, key);
  return found != nullptr ? found->version : 0;
}

Result<std::optional<StoredDocument>> MemoryProjection::get(std::string_view collection,
                                                            std::string_view key) {
  const Entry* found = entry(collection, key);
  if (found == nullptr || !found->document) return std::nullopt;
  return StoredDocument{.version = found->version, .document = *found->document};
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

Result<ListPage> MemoryProjection::list(const ListFilter& filter, std::string_view cursor,
                                        std::size_t limit) {
  auto next = order_.begin();
  if (!cursor.empty()) {
    WORKCTL_TRY(const OrderKey after, decode_cursor(cursor));
    next = order_.upper_bound(after);
  }
  ListPage page;
  const OrderKey* last = nullptr;
  for (; next != order_.end(); ++next) {
    if (!matches(filter, *entry(kWorkloads, next->id)->row)) continue;
    if (page.keys.size() == limit) {
      // There is more: the next page begins after the last of this one.
      page.next = last != nullptr ? encode_cursor(*last) : std::string(cursor);
      break;
    }
    page.keys.push_back(next->id);
    last = &*next;
  }
  return page;
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
  if (row.state == kReadyState) queues_[row.queue].insert(row.order);
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

void MemoryProjection::put(std::string_view collection, std::string_view key, std::uint64_t version,
                           std::optional<Json> document) {
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
}

Result<void> MemoryProjection::patch(std::string_view collection, std::string_view key,
                                     std::uint64_t version, const Json& patch) {
  Entry* found = entry(collection, key);
  if (found == nullptr || !found->document) {
    return failure(errc::kInvalidInput,
                   fmt::format("there is no {} \"{}\" that a patch could change", collection, key));
  }
  std::optional<Json> document = std::move(found->document);
  WORKCTL_CHECK(apply_patch(*document, patch));
  put(collection, key, version, std::move(document));
  return {};
}

void MemoryProjection::set_position(std::uint64_t revision, Instant at) {
  revision_ = revision;
  last_commit_at_ = at;
}

void MemoryProjection::clear() { *this = MemoryProjection(); }

}  // namespace workctl
