#pragma once

// The keys of the index: one tree, the first byte says what an entry is for.
//
// Numbers are big-endian, with the sign turned, so that bytes compare as the numbers do. What is
// looked up by equality alone is in the key by its digest, so that texts may be of any length; what
// is walked in order holds ids as they are, which limits these to kKeyBytesMax.

#include <cstdint>
#include <string>
#include <string_view>

#include "workctl/base/clock.h"
#include "workctl/store/row.h"

namespace workctl::index_tree {

/// Of a document's key, and of a collection's name, that the index can hold. LMDB's keys have at
/// most 511 bytes.
inline constexpr std::size_t kKeyBytesMax = 384;
inline constexpr std::size_t kCollectionBytesMax = 64;

inline constexpr char kDocument = 'd';  ///< collection, NUL, key -> record
inline constexpr char kOrder = 'o';     ///< order: all work, as it is listed
inline constexpr char kState = 'l';     ///< digest of state, order: the same by state
inline constexpr char kScope = 's';     ///< digest of scope -> id
inline constexpr char kResult = 'r';    ///< digest of result id -> id
inline constexpr char kQueue = 'q';     ///< queue, order -> eligible_at or nothing
inline constexpr char kQueueEntry =
    'Q';                               ///< digest of tenant and application, queue -> capabilities
inline constexpr char kEarly = 'e';    ///< eligible_at, order -> queue
inline constexpr char kLease = 'x';    ///< expires_at, id
inline constexpr char kTimeout = 't';  ///< timeout_at, id
inline constexpr char kEnded = 'f';    ///< ended_at, id
inline constexpr char kReadySince = 'y';  ///< ready_since, id, of READY work
inline constexpr char kWaiter = 'w';      ///< digest of a dependency's id, id of who waits for it
inline constexpr char kCount = 'c';       ///< digest of tenant and application, of state -> Count
inline constexpr char kPosition = 'p';    ///< -> State

/// Bytes of a digest in a key.
inline constexpr std::size_t kDigestBytes = 32;

std::string digest_of(std::string_view text);
/// Of texts in order, none of which can run into the next.
std::string digest_of(std::string_view first, std::string_view second);

void append_number(std::string& out, std::uint64_t number);
void append_instant(std::string& out, std::int64_t instant);
std::uint64_t read_number(std::string_view bytes);
std::int64_t read_instant(std::string_view bytes);
inline constexpr std::size_t kNumberBytes = 8;

/// Priority, created_at and id, so that the bytes sort as OrderKey does.
std::string order_bytes(const OrderKey& order);
OrderKey read_order(std::string_view bytes);

std::string document_prefix(std::string_view collection);
std::string document(std::string_view collection, std::string_view key);
/// `kind` followed by `rest`.
std::string entry(char kind, std::string_view rest = {});
/// `kind`, an instant, `rest`.
std::string timed(char kind, Instant instant, std::string_view rest);

}  // namespace workctl::index_tree
