#pragma once

/// Whether the index of a store is what its log says.

#include <memory>
#include <optional>
#include <string>

#include "workctl/journal/journal.h"

namespace workctl {

/// Compares an index, entry by entry, with another one that is made of the whole log beside it.
/// Takes no lock of the store; writers go on meanwhile, and their commits are part of what is
/// compared.
class IndexCheck {
 public:
  struct Report {
    std::uint64_t entries = 0;             ///< compared
    std::optional<std::string> problem{};  ///< the first that differs, as a sentence
  };

  /// Nothing where there is no index that could be trusted, or no room for another.
  static std::unique_ptr<IndexCheck> begin(const std::string& store_path,
                                           const Journal::Options& options);
  virtual ~IndexCheck() = default;

  /// Takes the log from its first commit on.
  virtual CommitSink& sink() = 0;
  /// `end` is where what `sink` was given ends.
  virtual Result<Report> compare(const LogPosition& end) = 0;
};

}  // namespace workctl
