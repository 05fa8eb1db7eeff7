#include "workctl/journal/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "journal/line_codec.h"
#include "journal/log_format.h"
#include "workctl/base/digest.h"
#include "workctl/base/json.h"

namespace workctl {

namespace {

std::unexpected<Error> damaged(const LogPosition& position, std::string_view what) {
  return failure(errc::kStoreDamaged, fmt::format("{} line {} (byte {}) {}", kLogName,
                                                  position.line + 1, position.offset, what));
}

void append_text_array(std::string& out, const std::vector<std::string>& texts) {
  out += '[';
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out += ',';
    append_json_string(texts[i], out);
  }
  out += ']';
}

bool is_text_array(const Json& value) {
  return value.is_array() &&
         std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_string(); });
}

/// The member when it is there and an unsigned integer.
bool read_unsigned(const Json& object, const char* name, std::uint64_t& value) {
  const auto member = object.find(name);
  if (member == object.end() || !member->is_number_unsigned()) return false;
  value = member->get<std::uint64_t>();
  return true;
}

bool read_instant(const Json& object, const char* name, Instant& value) {
  const auto member = object.find(name);
  if (member == object.end() || !member->is_number_integer()) return false;
  if (member->is_number_unsigned() && member->get<std::uint64_t>() > INT64_MAX) return false;
  value = member->get<Instant>();
  return true;
}

bool read_text(const Json& object, const char* name, std::string& value) {
  const auto member = object.find(name);
  if (member == object.end() || !member->is_string()) return false;
  value = member->get<std::string>();
  return true;
}

bool read_write(Json& object, Write& write) {
  if (!object.is_object() || !read_text(object, "collection", write.collection) ||
      !read_text(object, "key", write.key) || !read_unsigned(object, "version", write.version)) {
    return false;
  }
  if (const auto document = object.find("document"); document != object.end()) {
    write.form = WriteForm::kDocument;
    write.body = std::move(*document);
    return true;
  }
  const auto patch = object.find("patch");
  if (patch == object.end() || !patch->is_array()) return false;
  write.form = WriteForm::kPatch;
  write.body = std::move(*patch);
  return true;
}

bool read_commit(Json& object, Commit& commit) {
  if (!object.is_object() || !read_unsigned(object, "revision", commit.revision) ||
      !read_text(object, "transaction", commit.transaction) ||
      !read_instant(object, "at", commit.at)) {
    return false;
  }
  const auto writes = object.find("writes");
  const auto audit = object.find("audit");
  if (writes == object.end() || !writes->is_array() || audit == object.end() ||
      !audit->is_array()) {
    return false;
  }
  commit.writes.resize(writes->size());
  for (std::size_t i = 0; i < commit.writes.size(); ++i) {
    if (!read_write((*writes)[i], commit.writes[i])) return false;
  }
  commit.audit = std::move(*audit);
  return true;
}

/// The number that stands after `start` at the beginning of `text`; 0 when none does.
std::uint64_t number_after(std::string_view text, std::string_view start) {
  if (!text.starts_with(start)) return 0;
  std::uint64_t number = 0;
  for (const char c : text.substr(start.size())) {
    if (c < '0' || c > '9' || number > UINT64_MAX / 20) break;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

Result<void> require_known(const std::vector<std::string>& features, std::string_view use) {
  for (const std::string& feature : features) {
    if (feature == log_format::kSnapshotFeature) continue;
    return failure(
        errc::kStoreTooNew,
        fmt::format("{} needs the feature \"{}\" to be {}, which this workctl does not know",
                    kLogName, feature, use),
        "use a newer workctl; nothing was changed");
  }
  return {};
}

}  // namespace

std::string line_digest(std::string_view body, std::string_view previous_digest) {
  return Sha256().update(previous_digest).update(body).finish();
}

std::string finish_line(std::string_view body, std::string_view previous_digest) {
  std::string line;
  line.reserve(body.size() + log_format::kSuffixLength);
  line += body;
  line += log_format::kDigestMember;
  line += line_digest(body, previous_digest);
  line += log_format::kLineEnd;
  return line;
}

bool split_line(std::string_view line, LineParts& parts) {
  if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  constexpr std::size_t suffix = log_format::kSuffixLength - 1;
  if (line.size() <= suffix) return false;
  const std::string_view end = line.substr(line.size() - suffix);
  parts.body = line.substr(0, line.size() - suffix);
  parts.digest = end.substr(log_format::kDigestMember.size(), log_format::kDigestLength);
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return end.starts_with(log_format::kDigestMember) && end.ends_with("\"}") &&
         std::all_of(parts.digest.begin(), parts.digest.end(), is_hex);
}

std::string encode_header(const LogHeader& header) {
  std::string body(log_format::kHeaderStart);
  fmt::format_to(std::back_inserter(body), "{},\"store\":", kLogFormatVersion);
  append_json_string(header.store_id, body);
  fmt::format_to(std::back_inserter(body),
                 ",\"generation\":{},\"created_at\":{},\"previous\":", header.generation,
                 header.created_at);
  if (header.previous_generation.empty()) {
    body += "null";
  } else {
    append_json_string(header.previous_generation, body);
  }
  if (header.revision > 0)
    fmt::format_to(std::back_inserter(body), ",\"revision\":{},\"at\":{}", header.revision,
                   header.at);
  body += ",\"read_features\":";
  append_text_array(body, header.read_features);
  body += ",\"write_features\":";
  append_text_array(body, header.write_features);
  return body;
}

std::uint64_t header_version(std::string_view line) {
  return number_after(line, log_format::kHeaderStart);
}

std::uint64_t first_revision(std::string_view body) {
  if (!body.starts_with(log_format::kCommitsStart)) return 0;
  return number_after(body.substr(log_format::kCommitsStart.size()), log_format::kRevisionStart);
}

Result<LogHeader> decode_header(std::string_view body) {
  const LogPosition start;
  if (const std::uint64_t version = header_version(body); version > kLogFormatVersion) {
    return failure(errc::kStoreTooNew,
                   fmt::format("{} is in format {}, this workctl knows up to format {}", kLogName,
                               version, kLogFormatVersion),
                   "use a newer workctl; nothing was changed");
  }
  const auto parsed = parse_json(std::string(body) + "}", kLogName);
  LogHeader header;
  std::uint64_t version = 0;
  if (!parsed || !parsed->is_object() || !read_unsigned(*parsed, "workctl_log", version) ||
      !read_text(*parsed, "store", header.store_id) ||
      !read_unsigned(*parsed, "generation", header.generation) ||
      !read_instant(*parsed, "created_at", header.created_at)) {
    return damaged(start, "is not the header of a log");
  }
  if (const auto previous = parsed->find("previous"); previous != parsed->end()) {
    if (previous->is_string()) header.previous_generation = previous->get<std::string>();
  }
  if (parsed->contains("revision") && (!read_unsigned(*parsed, "revision", header.revision) ||
                                       !read_instant(*parsed, "at", header.at))) {
    return damaged(start, "is a header whose revision is none");
  }
  for (auto [name, features] : {std::pair{"read_features", &header.read_features},
                                std::pair{"write_features", &header.write_features}}) {
    const auto member = parsed->find(name);
    if (member == parsed->end() || !is_text_array(*member)) {
      return damaged(start, "is a header without its features");
    }
    *features = member->get<std::vector<std::string>>();
  }
  WORKCTL_CHECK(require_known(header.read_features, "read"));
  return header;
}

Result<void> check_writable(const LogHeader& header) {
  return require_known(header.write_features, "written");
}

namespace {

Result<void> deliver_snapshot(std::string_view body, const LogPosition& position,
                              const LogHeader& header, CommitSink& sink) {
  if (position.revision != header.revision)
    return damaged(position, "holds documents of a snapshot after commits");
  auto parsed = parse_json(std::string(body) + "}", kLogName, log_format::kNestingMax);
  if (!parsed) return damaged(position, "verifies but is not JSON");
  Json& documents = (*parsed)["documents"];
  Commit commit;
  commit.revision = position.revision;
  commit.at = position.at;
  commit.snapshot = true;
  commit.writes.resize(documents.size());
  for (std::size_t i = 0; i < commit.writes.size(); ++i) {
    if (!read_write(documents[i], commit.writes[i]) ||
        commit.writes[i].form != WriteForm::kDocument)
      return damaged(position, "holds a document that is none");
  }
  return sink.apply(std::move(commit));
}

}  // namespace

Result<void> deliver_line(std::string_view body, const LogHeader& header, LogPosition& position,
                          CommitSink& sink) {
  if (body.starts_with(log_format::kSnapshotStart))
    return deliver_snapshot(body, position, header, sink);
  if (!body.starts_with(log_format::kCommitsStart)) {
    return failure(errc::kStoreTooNew,
                   fmt::format("{} line {} (byte {}) is of a kind that this workctl does not know",
                               kLogName, position.line + 1, position.offset),
                   "use a newer workctl; nothing was changed");
  }
  auto parsed = parse_json(std::string(body) + "}", kLogName, log_format::kNestingMax);
  if (!parsed) return damaged(position, "verifies but is not JSON");
  Json& commits = (*parsed)["commits"];
  for (Json& object : commits) {
    Commit commit;
    if (!read_commit(object, commit)) return damaged(position, "holds a commit that is none");
    if (commit.revision != position.revision + 1) {
      return damaged(position, fmt::format("holds revision {} where {} should follow",
                                           commit.revision, position.revision + 1));
    }
    const std::uint64_t revision = commit.revision;
    const Instant at = commit.at;
    WORKCTL_CHECK(sink.apply(std::move(commit)));
    position.revision = revision;
    position.at = at;
  }
  return {};
}

namespace {

void append_write(std::string& out, const WriteText& write) {
  out += "{\"collection\":";
  append_json_string(write.collection, out);
  out += ",\"key\":";
  append_json_string(write.key, out);
  fmt::format_to(std::back_inserter(out), ",\"version\":{},\"{}\":{}}}", write.version,
                 write.form == WriteForm::kDocument ? "document" : "patch", write.body);
}

}  // namespace

void SnapshotLine::add(const WriteText& write) {
  if (!text_.empty()) text_ += ',';
  append_write(text_, write);
}

std::string SnapshotLine::finish(std::string_view previous_digest) const {
  std::string body(log_format::kSnapshotStart);
  body += text_;
  body += log_format::kSnapshotEnd;
  return finish_line(body, previous_digest);
}

void CommitLine::add(std::uint64_t revision, std::string_view transaction, Instant at,
                     std::span<const WriteText> writes, std::string_view audit) {
  if (count_ > 0) text_ += ',';
  auto out = std::back_inserter(text_);
  fmt::format_to(out, "{}{},\"transaction\":", log_format::kRevisionStart, revision);
  append_json_string(transaction, text_);
  fmt::format_to(out, ",\"at\":{},\"writes\":[", at);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (i > 0) text_ += ',';
    append_write(text_, writes[i]);
  }
  text_ += "],\"audit\":";
  text_ += audit;
  text_ += '}';
  ++count_;
  last_revision_ = revision;
  last_at_ = at;
}

std::uint64_t CommitLine::bytes() const {
  return log_format::kCommitsStart.size() + text_.size() + log_format::kCommitsEnd.size() +
         log_format::kSuffixLength;
}

std::string CommitLine::finish(std::string_view previous_digest) const {
  std::string body;
  body.reserve(bytes());
  body += log_format::kCommitsStart;
  body += text_;
  body += log_format::kCommitsEnd;
  return finish_line(body, previous_digest);
}

void CommitLine::clear() { *this = CommitLine(); }

}  // namespace workctl
