#include "store/list_page.h"

#include <fmt/format.h>

#include <charconv>

namespace workctl {

namespace {

std::string encode_cursor(const OrderKey& key) {
  return fmt::format("{}:{}:{}", key.priority, key.created_at, key.id);
}

}  // namespace

bool matches(const ListFilter& filter, const WorkloadRow& row) {
  return (!filter.tenant || *filter.tenant == row.queue.first) &&
         (!filter.application || *filter.application == row.queue.second) &&
         (!filter.definition || *filter.definition == row.definition) &&
         (filter.states.empty() || filter.states.contains(row.state));
}

OrderKey by_end(Instant ended_at, std::string id) {
  return {.priority = 0, .created_at = ended_at, .id = std::move(id)};
}

Result<std::optional<OrderKey>> decode_cursor(std::string_view cursor) {
  if (cursor.empty()) return std::nullopt;
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

bool PageBuilder::add(const OrderKey& order) {
  if (page_.keys.size() == limit_) {
    // There is more: the next page begins after the last of this one.
    page_.next = cursor_;
    return false;
  }
  cursor_ = encode_cursor(order);
  page_.keys.push_back(order.id);
  return true;
}

}  // namespace workctl
