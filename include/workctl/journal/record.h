#pragma once

/// What a log line holds, as values. The bytes are specified in workctl-log(5).

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workctl/base/clock.h"
#include "workctl/base/json.h"

namespace workctl {

/// The first line of a log.
struct LogHeader {
  std::string store_id;          ///< `store_` + 32 hex digits, made by `init`, kept by compaction
  std::uint64_t generation = 1;  ///< grows by one with each compaction
  Instant created_at = 0;
  /// Head digest of the generation before; empty in the first.
  std::string previous_generation{};
  /// Last commit of the generation before, which the snapshot at the beginning stands for; 0 in the
  /// first.
  std::uint64_t revision = 0;
  Instant at = 0;  ///< of that commit
  /// Features that a program must know to read this log, and those it must know to write to it.
  std::vector<std::string> read_features{};
  std::vector<std::string> write_features{};
};

/// How a write says what the document is after it.
enum class WriteForm {
  kDocument,  ///< whole; `null` for a document that is removed
  kPatch,     ///< an RFC 6902 patch against the version before
};

/// One document made, changed or removed, as it is read back.
struct Write {
  std::string collection;
  std::string key;
  /// Of the document after this write: one more than before it. Removed documents keep counting.
  std::uint64_t version = 0;
  WriteForm form = WriteForm::kDocument;
  Json body;
};

/// One transaction, as it is read back: all of its writes, or none.
struct Commit {
  std::uint64_t revision = 0;  ///< dense, from 1, over the whole log
  std::string transaction;     ///< unique: `tx_` + 32 hex digits
  Instant at = 0;
  std::vector<Write> writes;
  Json audit;  ///< an array of objects
  /// Documents as they stood at the revision, in their versions, removed ones too: a part of the
  /// snapshot that a compacted log begins with, and no transaction.
  bool snapshot = false;
};

/// One write to be appended; `body` is canonical text.
struct WriteText {
  std::string_view collection;
  std::string_view key;
  std::uint64_t version = 0;
  WriteForm form = WriteForm::kDocument;
  std::string_view body;
};

/// Documents of a snapshot that share a line.
class SnapshotLine {
 public:
  /// In the form of a whole document.
  void add(const WriteText& write);
  bool empty() const { return text_.empty(); }
  std::uint64_t bytes() const { return text_.size(); }
  std::string finish(std::string_view previous_digest) const;
  void clear() { text_.clear(); }

 private:
  std::string text_;
};

/// The commits of one line, on their way into the log.
class CommitLine {
 public:
  /// Adds a transaction. `audit` is the canonical text of an array of objects.
  void add(std::uint64_t revision, std::string_view transaction, Instant at,
           std::span<const WriteText> writes, std::string_view audit);
  std::size_t count() const { return count_; }
  /// Of the whole line, with what is around the commits.
  std::uint64_t bytes() const;
  std::uint64_t last_revision() const { return last_revision_; }
  Instant last_at() const { return last_at_; }
  /// The line with its digest and newline, to follow a line that has `previous_digest`.
  std::string finish(std::string_view previous_digest) const;
  void clear();

 private:
  std::string text_;
  std::size_t count_ = 0;
  std::uint64_t last_revision_ = 0;
  Instant last_at_ = 0;
};

}  // namespace workctl
