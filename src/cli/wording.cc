#include "cli/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "workctl/base/text.h"
#include "workctl/base/time_text.h"

namespace workctl::cli {

namespace {

constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kPlain = "\033[0m";
constexpr std::size_t kGap = 2;

/// The colour of a state; empty for one that is plain.
std::string_view state_color(std::string_view state) {
  if (state == "SUCCEEDED") return "\033[32m";
  if (state == "FAILED" || state == "DEAD_LETTER" || state == "TIMED_OUT") return "\033[31m";
  if (state == "CLAIMED" || state == "RUNNING" || state == "CHECKPOINTED") return "\033[36m";
  if (state == "CANCELLATION_REQUESTED" || state == "RECOVERING") return "\033[33m";
  return {};
}

/// Widths of the columns, 0 for one that is dropped, such that a line of all fits `width` if it
/// can.
std::vector<std::size_t> fitted(const std::vector<Column>& columns,
                                const std::vector<std::size_t>& wanted, std::size_t width) {
  std::vector<std::size_t> widths = wanted;
  const auto line = [&] {
    std::size_t sum = 0;
    for (const std::size_t one : widths) sum += one == 0 ? 0 : one + kGap;
    return sum - kGap;
  };
  const auto shorten = [&] {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].fit != Column::Fit::kShortened) continue;
      widths[i] = wanted[i];
      while (line() > width && widths[i] > columns[i].title.size()) --widths[i];
    }
  };
  shorten();
  for (std::size_t i = columns.size(); i-- > 0 && line() > width;)
    if (columns[i].fit == Column::Fit::kDropped) widths[i] = 0;
  // What was dropped may have left more room than was needed.
  shorten();
  return widths;
}

}  // namespace

std::string member_text(const Json& object, std::string_view member) {
  const auto found = object.find(std::string(member));
  if (found == object.end() || found->is_null()) return "-";
  if (found->is_string()) return printable(found->get_ref<const std::string&>());
  return printable(canonical_text(*found));
}

std::string instant_text(const Json& instant) {
  return instant.is_number_integer() ? format_instant(instant.get<Instant>()) : "-";
}

std::string state_text(std::string_view state, const Style& style) {
  const std::string_view color = style.color ? state_color(state) : std::string_view();
  return color.empty() ? printable(state) : fmt::format("{}{}{}", color, printable(state), kPlain);
}

std::string heading(std::string_view text, const Style& style) {
  return style.color ? fmt::format("{}{}{}", kBold, text, kPlain) : std::string(text);
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & '\xC0') != '\x80'; }));
}

std::string shortened(const std::string& text, std::size_t width) {
  constexpr std::string_view kCut = "...";
  if (columns(text) <= width) return text;
  if (width <= kCut.size()) return std::string(first_scalars(text, width));
  return fmt::format("{}{}", first_scalars(text, width - kCut.size()), kCut);
}

std::string table(const std::vector<Column>& columns,
                  const std::vector<std::vector<std::string>>& rows, const Style& style) {
  std::vector<std::size_t> widths;
  for (const Column& column : columns) widths.push_back(column.title.size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], cli::columns(row[i]));
  if (style.width != 0) widths = fitted(columns, widths, style.width);

  const auto write_line = [&](const std::vector<std::string>& cells, const Style& cell_style) {
    std::string line;
    std::size_t gap = 0;  // to the column before; nothing follows the last, which may fill the line
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (widths[i] == 0) continue;
      const std::string cell = shortened(cells[i], widths[i]);
      const bool is_state = columns[i].title == "STATE";
      line += std::string(gap, ' ') + (is_state ? state_text(cell, cell_style) : cell);
      gap = widths[i] + kGap - cli::columns(cell);
    }
    return line;
  };
  std::vector<std::string> titles;
  for (const Column& column : columns) titles.emplace_back(column.title);
  std::string text = heading(write_line(titles, {}), style) + "\n";
  for (const auto& row : rows) text += write_line(row, style) + "\n";
  return text;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    if (text.front() == '\n') {
      // A paragraph's end; what begins with spaces after a single newline is kept as it stands.
      out += '\n';
      used = 0;
      text.remove_prefix(1);
      continue;
    }
    if (used == 0 && text.front() == ' ') {
      const std::string_view line = text.substr(0, text.find('\n'));
      out += std::string(indent, ' ');
      out += line;
      used = width;
      text.remove_prefix(line.size());
      continue;
    }
    if (text.front() == ' ') {
      text.remove_prefix(1);
      continue;
    }
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    if (used != 0 && used + 1 + columns(word) > width) {
      out += '\n';
      used = 0;
    }
    if (used != 0) {
      out += ' ';
      ++used;
    } else if (!out.empty()) {
      out += std::string(indent, ' ');
    }
    out += word;
    used += columns(word);
    text.remove_prefix(word.size());
  }
  return out;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace workctl::cli
