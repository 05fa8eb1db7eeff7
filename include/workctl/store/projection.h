#pragma once

/// What the commits of a log add up to: a View that is changed by putting documents into it.

#include <functional>
#include <optional>
#include <string_view>

#include "workctl/store/engine.h"

namespace workctl {

class Projection : public View {
 public:
  /// Version of a document, 0 when it was never there. Removed documents keep theirs.
  virtual Result<std::uint64_t> version(std::string_view collection, std::string_view key) = 0;
  /// The document without a copy; null when absent or removed. Valid until the next call of this
  /// projection.
  virtual Result<const Json*> find(std::string_view collection, std::string_view key) = 0;
  /// The document itself; it counts as changing until it is put back.
  virtual Result<std::optional<Json>> take(std::string_view collection, std::string_view key) = 0;
  /// Stores a document in a version, or removes it (`nullopt`).
  virtual Result<void> put(std::string_view collection, std::string_view key, std::uint64_t version,
                           std::optional<Json> document) = 0;
  /// Shows every document, with its collection, key and version; without its text where it is
  /// removed. Stops at a failure of `visit`, and hands it on.
  using Visit =
      std::function<Result<void>(std::string_view collection, std::string_view key,
                                 std::uint64_t version, std::optional<std::string_view> text)>;
  virtual Result<void> each(const Visit& visit) = 0;
  virtual void set_position(std::uint64_t revision, Instant at) = 0;
  /// As if there had never been a commit.
  virtual Result<void> clear() = 0;

  Result<std::optional<StoredDocument>> get(std::string_view collection,
                                            std::string_view key) override;
};

}  // namespace workctl
