#pragma once

/// Logs taken apart into lines and put together wrongly.

#include <string>
#include <string_view>
#include <vector>

namespace workctl {

/// The lines of a log, each with its newline.
inline std::vector<std::string> split_lines(std::string_view log) {
  std::vector<std::string> lines;
  while (!log.empty()) {
    const std::size_t end = log.find('\n');
    const std::size_t size = end == std::string_view::npos ? log.size() : end + 1;
    lines.emplace_back(log.substr(0, size));
    log.remove_prefix(size);
  }
  return lines;
}

inline std::string join_lines(const std::vector<std::string>& lines) {
  std::string log;
  for (const std::string& line : lines) log += line;
  return log;
}

}  // namespace workctl
