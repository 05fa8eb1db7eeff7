#pragma once

/// A bar on a terminal for what can take more than a moment.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace workctl::cli {

class Progress {
 public:
  explicit Progress(bool visible) : visible_(visible) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Takes the bar off the terminal.
  ~Progress();

  /// `done` of `total` of what `stage` says. Draws at most ten times a second, and nothing in the
  /// first half second.
  void update(std::string_view stage, std::uint64_t done, std::uint64_t total);

 private:
  using Time = std::chrono::steady_clock::time_point;

  bool visible_;
  bool drawn_ = false;
  Time next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
};

/// The bar as one line of `width` columns: `read  [#####.....]  50%`.
std::string progress_line(std::string_view stage, std::uint64_t done, std::uint64_t total,
                          std::size_t width);

}  // namespace workctl::cli
