#pragma once

// Pages of lists of work, and the cursors between them.

#include <optional>
#include <string>
#include <string_view>

#include "workctl/store/engine.h"
#include "workctl/store/row.h"

namespace workctl {

bool matches(const ListFilter& filter, const WorkloadRow& row);

/// The place in a list of what has ended: by its end, then by id.
OrderKey by_end(Instant ended_at, std::string id);

/// The place that a page's `next` names; nothing for an empty one. `kInvalidInput` for a text that
/// is no cursor.
Result<std::optional<OrderKey>> decode_cursor(std::string_view cursor);

/// Takes the entries of a page in order.
class PageBuilder {
 public:
  /// `cursor` is where the page begins.
  PageBuilder(std::string_view cursor, std::size_t limit) : cursor_(cursor), limit_(limit) {}
  /// False for the first entry that is one too many.
  bool add(const OrderKey& order);
  ListPage take() { return std::move(page_); }

 private:
  std::string cursor_;
  std::size_t limit_;
  ListPage page_{};
};

}  // namespace workctl
