#pragma once

// The bytes of a log that code must agree on; workctl-log(5) says what they mean.

#include <cstddef>
#include <string>
#include <string_view>

namespace workctl::log_format {

/// A line is BODY `,"digest":"` 64 hex digits `"}` newline, where BODY is a JSON object without its
/// last brace. The digest is SHA-256 over the 64 hex digits of the line before and BODY.
inline constexpr std::string_view kDigestMember = ",\"digest\":\"";
inline constexpr std::string_view kLineEnd = "\"}\n";
inline constexpr std::size_t kDigestLength = 64;
inline constexpr std::size_t kSuffixLength = kDigestMember.size() + kDigestLength + kLineEnd.size();

/// Every header of every version of the format begins with this and its version.
inline constexpr std::string_view kHeaderStart = "{\"workctl_log\":";
inline constexpr std::string_view kCommitsStart = "{\"commits\":[";
inline constexpr std::string_view kCommitsEnd = "]";
/// A line of the snapshot that a compacted log begins with.
inline constexpr std::string_view kSnapshotStart = "{\"documents\":[";
inline constexpr std::string_view kSnapshotEnd = "]";
/// What a program must know to read a log that begins with one.
inline constexpr std::string_view kSnapshotFeature = "snapshot";
/// A commit begins with this and its revision.
inline constexpr std::string_view kRevisionStart = "{\"revision\":";

/// Nesting of a line: its documents hold values that came in under the limit for JSON, a few levels
/// down.
inline constexpr int kNestingMax = 160;

/// What stands for the line before the first.
inline std::string no_digest() { return std::string(kDigestLength, '0'); }

}  // namespace workctl::log_format
