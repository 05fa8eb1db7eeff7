#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/terminal.h"

namespace workctl::cli {

namespace {

// Progress is a courtesy: a terminal that does not take it changes nothing.
void draw(std::string_view text) {
  [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Progress::~Progress() {
  if (drawn_) draw("\r\033[K");
}

void Progress::update(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  if (!visible_) return;
  const Time now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  drawn_ = true;
  draw("\r" + progress_line(stage, done, total, terminal_width(STDERR_FILENO)) + "\033[K");
}

std::string progress_line(std::string_view stage, std::uint64_t done, std::uint64_t total,
                          std::size_t width) {
  constexpr std::size_t kBarMax = 40;
  constexpr std::size_t kAround = 11;  // "  [", "]  100%", and a column to spare
  const double part =
      total == 0 ? 0.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const std::string percent = fmt::format("{:3}%", static_cast<int>(part * 100));
  if (width < stage.size() + kAround + 10) return fmt::format("{} {}", stage, percent);
  const std::size_t bar = std::min(kBarMax, width - stage.size() - kAround);
  const auto full = static_cast<std::size_t>(part * static_cast<double>(bar));
  return fmt::format("{}  [{:#<{}}{:.<{}}] {}", stage, "", full, "", bar - full, percent);
}

}  // namespace workctl::cli
