#include "store/index/keys.h"

#include "workctl/base/digest.h"

namespace workctl::index_tree {

namespace {
constexpr std::uint64_t kSign = 1ULL << 63;
}

void append_number(std::string& out, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8)
    out += static_cast<char>(static_cast<unsigned char>(number >> shift));
}

void append_instant(std::string& out, std::int64_t instant) {
  append_number(out, static_cast<std::uint64_t>(instant) ^ kSign);
}

std::uint64_t read_number(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes.substr(0, kNumberBytes))
    number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

std::int64_t read_instant(std::string_view bytes) {
  return static_cast<std::int64_t>(read_number(bytes) ^ kSign);
}

std::string digest_of(std::string_view text) { return digest_of({}, text); }

std::string digest_of(std::string_view first, std::string_view second) {
  std::string length;
  append_number(length, first.size());
  return Sha256().update(length).update(first).update(second).finish().substr(0, kDigestBytes);
}

std::string order_bytes(const OrderKey& order) {
  std::string bytes;
  // High priorities first: all bits turned but the sign's, which sorting by bytes turns itself.
  append_instant(bytes, ~order.priority);
  append_instant(bytes, order.created_at);
  return bytes += order.id;
}

OrderKey read_order(std::string_view bytes) {
  return {.priority = ~read_instant(bytes),
          .created_at = read_instant(bytes.substr(kNumberBytes)),
          .id = std::string(bytes.substr(2 * kNumberBytes))};
}

std::string document_prefix(std::string_view collection) {
  std::string key = entry(kDocument, collection);
  key += '\0';
  return key;
}

std::string document(std::string_view collection, std::string_view key) {
  return document_prefix(collection).append(key);
}

std::string entry(char kind, std::string_view rest) {
  std::string key;
  key.reserve(1 + rest.size());
  key += kind;
  return key.append(rest);
}

std::string timed(char kind, Instant instant, std::string_view rest) {
  std::string key(1, kind);
  append_instant(key, instant);
  return key.append(rest);
}

}  // namespace workctl::index_tree
