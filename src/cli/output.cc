#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/exit_codes.h"
#include "cli/shell_text.h"
#include "cli/terminal.h"
#include "workctl/base/text.h"
#include "workctl/workload/contract_code.h"

namespace workctl::cli {

namespace {

struct FormatName {
  Format format;
  std::string_view name;
};
constexpr FormatName kFormatNames[] = {{Format::kText, "text"},
                                       {Format::kJson, "json"},
                                       {Format::kJsonLines, "jsonl"},
                                       {Format::kIds, "id"},
                                       {Format::kEnvironment, "env"}};

/// Writes all of `bytes`; errno of the failure, or 0.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

bool is_json(Format format) { return format == Format::kJson || format == Format::kJsonLines; }

/// `{"workctl":1,"command":NAME,MEMBER:VALUE}` and a newline.
std::string envelope(const Command* command, std::string_view member, const Json& value) {
  std::string line = R"({"workctl":1,"command":)";
  if (command != nullptr)
    append_json_string(command->name, line);
  else
    line += "null";
  line += ",";
  append_json_string(member, line);
  line += ":";
  append_canonical_text(value, line);
  line += "}\n";
  return line;
}

/// `workctl: COMMAND: `.
std::string prefix(const Command* command) {
  return command != nullptr ? fmt::format("workctl: {}: ", command->name) : "workctl: ";
}

/// Text that JSON can hold.
std::string valid_text(const std::string& text) {
  return is_valid_utf8(text) ? text : printable(text);
}

void append_id(const Json& value, std::string& out) {
  const auto id = value.is_object() ? value.find("workload_id") : value.end();
  if (!value.is_object() || id == value.end()) return;
  // An id that an older release made may hold anything; a line must stay a line.
  out += printable(id->get_ref<const std::string&>());
  out += '\n';
}

}  // namespace

Format parse_format(std::string_view name) {
  for (const FormatName& known : kFormatNames)
    if (known.name == name) return known.format;
  return Format::kText;
}

bool supports(const Command& command, Format format) {
  switch (format) {
    case Format::kText:
    case Format::kJson:
      return command.describe != nullptr;
    case Format::kJsonLines:
      return true;
    case Format::kIds:
      return command.answers_ids;
    case Format::kEnvironment:
      return command.assign != nullptr;
  }
  return false;
}

std::vector<std::string_view> format_names(const Command& command) {
  std::vector<std::string_view> names;
  for (const FormatName& known : kFormatNames)
    if (supports(command, known.format)) names.push_back(known.name);
  return names;
}

Json error_json(const Error& error) {
  Json json = {{"code", contract_code(error.code)}, {"message", valid_text(error.message)}};
  if (contract_code(error.code) != error.code.name) json["cause"] = error.code.name;
  if (!error.workload_id.empty()) json["workload_id"] = error.workload_id;
  if (!error.hint.empty()) json["hint"] = valid_text(error.hint);
  return json;
}

void Output::notice(std::string_view sentence) {
  if (options_.quiet) return;
  const std::string text(sentence);
  write_all(STDERR_FILENO, is_json(options_.format)
                               ? envelope(options_.command, "notice", valid_text(text))
                               : prefix(options_.command) + "note: " + printable(text) + "\n");
}

bool Output::shows_progress() const { return !options_.quiet && is_terminal(STDERR_FILENO); }

void Output::item(Json item) {
  streamed_ = true;
  switch (options_.format) {
    case Format::kText:
      pending_ += options_.command->describe({.value = std::move(item)}, options_.style);
      break;
    case Format::kJson:
      items_.push_back(std::move(item));
      break;
    case Format::kJsonLines:
      append_canonical_text(item, pending_);
      pending_ += '\n';
      break;
    case Format::kIds:
      append_id(item, pending_);
      break;
    case Format::kEnvironment:
      break;
  }
  constexpr std::size_t kPendingMax = 64U << 10;
  if (pending_.size() > kPendingMax) flush();
}

void Output::refused_item(std::uint64_t line, const Error& error) {
  if (is_json(options_.format)) {
    item({{"line", line}, {"error", error_json(error)}});
    return;
  }
  flush();
  std::string text =
      fmt::format("{}line {}: {}\n", prefix(options_.command), line, printable(error.message));
  if (!error.hint.empty()) text += fmt::format("hint: {}\n", printable(error.hint));
  write_all(STDERR_FILENO, text);
}

bool Output::flush() {
  if (write_error_ == 0) write_error_ = write_all(STDOUT_FILENO, pending_);
  pending_.clear();
  return write_error_ == 0;
}

int Output::finish_text(std::string_view text) {
  pending_ += text;
  return flushed(kExitDone);
}

int Output::finish(Result<Answer> answer) {
  if (!answer) {
    const int status = exit_status(answer.error().code);
    if (options_.format == Format::kEnvironment) pending_ += failed_assignments_text(status);
    const int flushed_status = flushed(status);
    print_error(answer.error(), status);
    return flushed_status;
  }
  if (options_.format == Format::kEnvironment) {
    // Nothing to assign is no success for a script that waits for assignments.
    Result<std::string> text = answer->exit_status == kExitDone
                                   ? assignments_text(options_.command->assign(*answer))
                                   : failed_assignments_text(answer->exit_status);
    if (!text) return finish(std::unexpected(std::move(text).error()));
    pending_ += *text;
  } else {
    print(*answer);
  }
  return flushed(answer->exit_status);
}

void Output::print(const Answer& answer) {
  switch (options_.format) {
    case Format::kText:
      pending_ += answer.text ? *answer.text : options_.command->describe(answer, options_.style);
      break;
    case Format::kJson: {
      Json value = answer.value;
      if (answer.items) value["items"] = *answer.items;
      if (streamed_) value["items"] = std::move(items_);
      pending_ += envelope(options_.command, "ok", value);
      break;
    }
    case Format::kJsonLines:
      if (streamed_) break;
      for (const Json& item : answer.items.value_or(std::vector<Json>{answer.value})) {
        if (item.is_null()) continue;  // an answer that there is nothing
        append_canonical_text(item, pending_);
        pending_ += '\n';
      }
      break;
    case Format::kIds:
      if (streamed_) break;
      for (const Json& item : answer.items.value_or(std::vector<Json>{answer.value}))
        append_id(item, pending_);
      break;
    case Format::kEnvironment:
      break;
  }
}

void Output::print_error(const Error& error, int status) {
  std::string text;
  if (is_json(options_.format)) {
    Json json = error_json(error);
    json["exit"] = status;
    text = envelope(options_.command, "error", json);
  } else {
    text = prefix(options_.command) + printable(error.message) + "\n";
    if (!error.hint.empty()) text += "hint: " + printable(error.hint) + "\n";
  }
  write_all(STDERR_FILENO, text);
}

int Output::flushed(int status) {
  if (flush()) return status;
  if (write_error_ == EPIPE) return kExitBrokenPipe;
  print_error(
      {errc::kIoFailure,
       fmt::format("the answer could not be written to standard output: {}{}",
                   std::strerror(write_error_), status == 0 ? "; the command itself is done" : "")},
      kExitInputOutput);
  return kExitInputOutput;
}

}  // namespace workctl::cli
