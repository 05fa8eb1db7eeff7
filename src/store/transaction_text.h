#pragma once

// A transaction as it is written to the log.

#include <cstdint>
#include <string>
#include <vector>

#include "workctl/journal/record.h"
#include "workctl/store/engine.h"

namespace workctl {

/// The texts of one transaction, gathered write by write.
class TransactionText {
 public:
  TransactionText(std::uint64_t revision, Instant at);

  /// Adds a write of `document` (nothing: a removal) in `version`, as a patch against `before`
  /// (null where there is none) when that is shorter. `kTooLarge` for a document over the limit.
  Result<void> add(const DocumentWrite& write, std::uint64_t version, const Json* before);

  /// About the bytes that it takes in a line; never less than it does.
  std::uint64_t bytes_max() const;
  void append_to(CommitLine& line) const;

 private:
  struct Body {
    std::string collection;
    std::string key;
    std::uint64_t version;
    WriteForm form;
    std::string text;
  };

  std::uint64_t revision_;
  Instant at_;
  std::string transaction_;
  std::vector<Body> bodies_;
  std::string audit_;
};

}  // namespace workctl
