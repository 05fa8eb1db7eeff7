#pragma once

// Between lines of text and what they hold. Nothing here reads or writes files.

#include <string>
#include <string_view>

#include "workctl/base/error.h"
#include "workctl/journal/journal.h"
#include "workctl/journal/record.h"

namespace workctl {

/// A line ready to be written after one that has `previous_digest`: `body` with its digest and
/// newline.
std::string finish_line(std::string_view body, std::string_view previous_digest);

/// Digest that a line of this body has.
std::string line_digest(std::string_view body, std::string_view previous_digest);

/// A line taken apart. `digest` is what the line claims.
struct LineParts {
  std::string_view body;
  std::string_view digest;
};
/// False when `line` (with or without its newline) does not end as a line of a log does.
bool split_line(std::string_view line, LineParts& parts);

/// The body of a header line.
std::string encode_header(const LogHeader& header);
/// `kStoreTooNew` when the header asks for a newer format or a read feature that is not known here,
/// `kStoreDamaged` when it is no header.
Result<LogHeader> decode_header(std::string_view body);
/// The format version that a first line asks for, also when nothing else of it can be understood; 0
/// when it does not begin as a header.
std::uint64_t header_version(std::string_view line);
/// Whether all features needed to write this log are known here.
Result<void> check_writable(const LogHeader& header);

/// Revision of the first commit that a body holds; 0 when it holds none.
std::uint64_t first_revision(std::string_view body);

/// Decodes the body of a verified line after `position` in a log with this header, hands its
/// commits to `sink` in order and moves the revision and instant of `position`. `kStoreTooNew` for
/// an unknown kind of line, `kStoreDamaged` for one that does not follow on.
Result<void> deliver_line(std::string_view body, const LogHeader& header, LogPosition& position,
                          CommitSink& sink);

/// Whether a log with this header that ends at `position` is whole: a snapshot is followed by the
/// commit that made it, so that one of which the end is missing shows.
inline bool snapshot_is_whole(const LogHeader& header, const LogPosition& position) {
  return header.revision == 0 || position.revision > header.revision;
}

}  // namespace workctl
