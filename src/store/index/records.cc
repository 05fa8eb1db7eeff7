#include "store/index/records.h"

#include <algorithm>

#include "store/index/keys.h"

namespace workctl::index_tree {

namespace {

class Writer {
 public:
  Writer& number(std::uint64_t value) {
    append_number(bytes_, value);
    return *this;
  }
  Writer& instant(const std::optional<Instant>& value) {
    bytes_ += value ? '1' : '0';
    if (value) append_instant(bytes_, *value);
    return *this;
  }
  Writer& text(std::string_view value) {
    number(value.size());
    bytes_ += value;
    return *this;
  }
  Writer& texts(const std::vector<std::string>& values) {
    number(values.size());
    for (const std::string& value : values) text(value);
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number() { return read_number(raw(kNumberBytes)); }
  std::optional<Instant> instant() {
    if (raw(1) == "0") return std::nullopt;
    return read_instant(raw(kNumberBytes));
  }
  /// A number of things to follow, each of a byte at least.
  std::size_t count() { return std::min<std::size_t>(number(), bytes_.size()); }
  std::string_view view() { return raw(number()); }
  std::string text() { return std::string(view()); }
  std::vector<std::string> texts() {
    std::vector<std::string> values(count());
    for (std::string& value : values) value = text();
    return values;
  }
  std::string_view rest() { return bytes_; }

 private:
  std::string_view raw(std::size_t size) {
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view bytes_;
};

}  // namespace

std::string encode(const Document& document) {
  Writer out;
  out.number(document.version);
  if (!document.text) return out.take();
  std::string bytes = out.text(document.row).take();
  return bytes.append(*document.text);
}

Document read_document(std::string_view bytes) {
  Reader in(bytes);
  Document document{.version = in.number()};
  if (in.rest().empty()) return document;
  document.row = in.view();
  document.text = in.rest();
  return document;
}

std::string encode(const WorkloadRow& row) {
  Writer out;
  out.text(row.queue.first).text(row.queue.second);
  out.instant(row.order.priority).instant(row.order.created_at);
  out.text(row.definition).text(row.state).text(row.scope);
  out.text(row.result_id ? "1" + *row.result_id : "");
  out.instant(row.eligible_at).instant(row.lease_expires_at).instant(row.timeout_at);
  out.instant(row.ended_at).instant(row.updated_at);
  out.texts(row.capabilities);
  out.number(row.dependencies.size());
  for (const auto& [id, state] : row.dependencies) out.text(id).text(state);
  return out.take();
}

WorkloadRow read_row(std::string_view bytes, std::string_view id) {
  Reader in(bytes);
  WorkloadRow row;
  row.queue.first = in.text();
  row.queue.second = in.text();
  row.order.priority = in.instant().value_or(0);
  row.order.created_at = in.instant().value_or(0);
  row.order.id = id;
  row.definition = in.text();
  row.state = in.text();
  row.scope = in.text();
  if (const std::string_view result = in.view(); !result.empty()) row.result_id = result.substr(1);
  row.eligible_at = in.instant();
  row.lease_expires_at = in.instant();
  row.timeout_at = in.instant();
  row.ended_at = in.instant();
  row.updated_at = in.instant().value_or(0);
  row.capabilities = in.texts();
  row.dependencies.resize(in.count());
  for (auto& [dependency, state] : row.dependencies) {
    dependency = in.text();
    state = in.text();
  }
  return row;
}

std::string encode(const std::vector<std::string>& texts) { return Writer().texts(texts).take(); }

std::vector<std::string> read_texts(std::string_view bytes) { return Reader(bytes).texts(); }

std::string encode(const Count& count) {
  return Writer()
      .number(count.count)
      .text(count.queue.first)
      .text(count.queue.second)
      .text(count.state)
      .take();
}

Count read_count(std::string_view bytes) {
  Reader in(bytes);
  Count count{.count = in.number()};
  count.queue.first = in.text();
  count.queue.second = in.text();
  count.state = in.text();
  return count;
}

std::string encode(const State& state) {
  const LogPosition& position = state.position;
  return Writer()
      .number(position.offset)
      .number(position.line_offset)
      .number(position.line)
      .number(position.revision)
      .instant(position.at)
      .text(position.digest)
      .number(state.documents)
      .number(state.document_bytes)
      .take();
}

State read_state(std::string_view bytes) {
  Reader in(bytes);
  State state;
  state.position.offset = in.number();
  state.position.line_offset = in.number();
  state.position.line = in.number();
  state.position.revision = in.number();
  state.position.at = in.instant().value_or(0);
  state.position.digest = in.text();
  state.documents = in.number();
  state.document_bytes = in.number();
  return state;
}

}  // namespace workctl::index_tree
