#include "journal/mark.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "workctl/base/digest.h"
#include "workctl/base/json.h"

namespace workctl {

namespace {
constexpr std::size_t kCheckLength = 16;
constexpr std::string_view kCheckMember = ",\"check\":\"";

std::string check_of(std::string_view body) { return sha256_hex(body).substr(0, kCheckLength); }
}  // namespace

std::string encode_mark(const DurableMark& mark) {
  Json fields = {{"boot", mark.boot_id}, {"digest", mark.digest}, {"generation", mark.generation},
                 {"inode", mark.inode},  {"size", mark.size},     {"store", mark.store_id}};
  std::string text = canonical_text(fields);
  text.pop_back();
  text += fmt::format("{}{}\"}}", kCheckMember, check_of(text));
  text.resize(kMarkBytes - 1, ' ');
  return text + '\n';
}

std::optional<DurableMark> decode_mark(std::string_view text) {
  const std::size_t check = text.rfind(kCheckMember);
  if (text.size() != kMarkBytes || check == std::string_view::npos) return std::nullopt;
  const std::string_view body = text.substr(0, check);
  if (text.substr(check + kCheckMember.size(), kCheckLength) != check_of(body)) return std::nullopt;
  const auto parsed = parse_json(std::string(body) + "}", "mark");
  if (!parsed || !parsed->is_object()) return std::nullopt;
  const auto is_text = [&](const char* name) {
    return parsed->contains(name) && (*parsed)[name].is_string();
  };
  const auto is_count = [&](const char* name) {
    return parsed->contains(name) && (*parsed)[name].is_number_unsigned();
  };
  if (!is_text("store") || !is_text("boot") || !is_text("digest") || !is_count("generation") ||
      !is_count("inode") || !is_count("size")) {
    return std::nullopt;
  }
  DurableMark mark;
  mark.store_id = (*parsed)["store"].get<std::string>();
  mark.generation = (*parsed)["generation"].get<std::uint64_t>();
  mark.inode = (*parsed)["inode"].get<std::uint64_t>();
  mark.boot_id = (*parsed)["boot"].get<std::string>();
  mark.size = (*parsed)["size"].get<std::uint64_t>();
  mark.digest = (*parsed)["digest"].get<std::string>();
  return mark;
}

bool MarkCheck::differs_at(const LogPosition& end) {
  if (mark_ == nullptr || end.offset < mark_->size) return false;
  const DurableMark& mark = *std::exchange(mark_, nullptr);
  return end.offset > mark.size || end.digest != mark.digest;
}

}  // namespace workctl
