// The questions that the index answers, but for what is ready.

#include <algorithm>
#include <map>

#include "store/index/index_projection.h"
#include "store/index/keys.h"
#include "store/list_page.h"

namespace workctl::index_tree {

Result<std::optional<std::string>> IndexProjection::holder(char kind, std::string_view text) const {
  WORKCTL_TRY(const auto id, tree_->get(entry(kind, digest_of(text))));
  if (!id) return std::nullopt;
  return std::string(*id);
}

Result<std::optional<std::string>> IndexProjection::find_by_scope(std::string_view scope) {
  return holder(kScope, scope);
}

Result<std::optional<std::string>> IndexProjection::find_by_result(std::string_view result_id) {
  return holder(kResult, result_id);
}

Result<std::vector<std::string>> IndexProjection::ids_until(char kind, Instant until) const {
  std::vector<std::string> ids;
  WORKCTL_CHECK(tree_->walk(entry(kind), [&](std::string_view key, std::string_view) {
    if (read_instant(key.substr(1)) > until) return false;
    ids.emplace_back(key.substr(1 + kNumberBytes));
    return true;
  }));
  std::sort(ids.begin(), ids.end());
  return ids;
}

Result<std::vector<std::string>> IndexProjection::expired_leases(Instant now) {
  return ids_until(kLease, now);
}

Result<std::vector<std::string>> IndexProjection::due_timeouts(Instant now) {
  return ids_until(kTimeout, now);
}

Result<bool> IndexProjection::matches(const ListFilter& filter, std::string_view id) const {
  if (!filter.tenant && !filter.application && !filter.definition && filter.states.empty())
    return true;
  WORKCTL_TRY(const auto found, row(id));
  if (!found) return tree_->trouble("a list names work that is not there");
  return workctl::matches(filter, *found);
}

Result<ListPage> IndexProjection::list(const ListFilter& filter, std::string_view cursor,
                                       std::size_t limit) {
  WORKCTL_TRY(const std::optional<OrderKey> after, decode_cursor(cursor));
  const std::string past = after ? order_bytes(*after) : "";
  std::vector<std::string> prefixes;
  for (const std::string& state : filter.states)
    prefixes.push_back(entry(kState, digest_of(state)));
  if (prefixes.empty()) prefixes.push_back(entry(kOrder));

  // One more than the page holds, of each list: that it is there says that there is more.
  std::vector<std::string> orders;
  Result<bool> trouble;
  for (const std::string& prefix : prefixes) {
    std::size_t taken = 0;
    WORKCTL_CHECK(tree_->walk(prefix, prefix + past, [&](std::string_view key, std::string_view) {
      const std::string_view order = key.substr(prefix.size());
      if (!past.empty() && order == past) return true;
      const Result<bool> match = matches(filter, order.substr(2 * kNumberBytes));
      if (!match) {
        trouble = match;
        return false;
      }
      if (!*match) return true;
      orders.emplace_back(order);
      return ++taken <= limit;
    }));
    WORKCTL_CHECK(trouble);
  }
  std::sort(orders.begin(), orders.end());
  PageBuilder page(cursor, limit);
  for (const std::string& order : orders)
    if (!page.add(read_order(order))) break;
  return page.take();
}

Result<ListPage> IndexProjection::ended(const ListFilter& filter, Instant until,
                                        std::string_view cursor, std::size_t limit) {
  WORKCTL_TRY(const std::optional<OrderKey> after, decode_cursor(cursor));
  const std::string past = after ? timed(kEnded, after->created_at, after->id) : "";
  PageBuilder page(cursor, limit);
  Result<bool> trouble;
  const std::string prefix = entry(kEnded);
  WORKCTL_CHECK(tree_->walk(prefix, past.empty() ? prefix : past,
                            [&](std::string_view key, std::string_view) {
                              const Instant ended_at = read_instant(key.substr(1));
                              if (ended_at > until) return false;
                              if (key == past) return true;
                              const std::string id(key.substr(1 + kNumberBytes));
                              const Result<bool> match = matches(filter, id);
                              if (!match) trouble = match;
                              if (!match) return false;
                              return !*match || page.add(by_end(ended_at, id));
                            }));
  WORKCTL_CHECK(trouble);
  return page.take();
}

Result<std::vector<std::string>> IndexProjection::dependents(std::string_view id) {
  const std::string prefix = entry(kWaiter, digest_of(id));
  std::vector<std::string> ids;
  WORKCTL_CHECK(tree_->walk(prefix, [&](std::string_view key, std::string_view) {
    ids.emplace_back(key.substr(prefix.size()));
    return true;
  }));
  return ids;
}

Result<std::vector<StateCount>> IndexProjection::counts() {
  std::map<std::tuple<std::string, std::string, std::string>, std::uint64_t> sorted;
  WORKCTL_CHECK(tree_->walk(entry(kCount), [&](std::string_view, std::string_view value) {
    const Count count = read_count(value);
    sorted[{count.queue.first, count.queue.second, count.state}] = count.count;
    return true;
  }));
  std::vector<StateCount> counts;
  for (const auto& [of, count] : sorted)
    counts.push_back({std::get<0>(of), std::get<1>(of), std::get<2>(of), count});
  return counts;
}

Result<std::optional<Instant>> IndexProjection::oldest_ready() {
  std::optional<Instant> oldest;
  WORKCTL_CHECK(tree_->walk(entry(kReadySince), [&](std::string_view key, std::string_view) {
    oldest = read_instant(key.substr(1));
    return false;
  }));
  return oldest;
}

Result<StoredSize> IndexProjection::size() {
  return StoredSize{.documents = state_.documents, .bytes = state_.document_bytes};
}

Result<std::vector<std::string>> IndexProjection::keys(std::string_view collection) {
  const std::string prefix = document_prefix(collection);
  std::vector<std::string> keys;
  WORKCTL_CHECK(tree_->walk(prefix, [&](std::string_view key, std::string_view value) {
    if (read_document(value).text) keys.emplace_back(key.substr(prefix.size()));
    return true;
  }));
  return keys;
}

}  // namespace workctl::index_tree
