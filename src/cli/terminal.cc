#include "cli/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace workctl::cli {

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

std::size_t terminal_width(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
  constexpr std::size_t kUsualWidth = 80;
  return size.ws_col != 0 ? size.ws_col : kUsualWidth;
}

bool wants_color(std::string_view when, int descriptor) {
  if (when != "auto") return when == "always";
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return is_terminal(descriptor);
}

void open_standard_streams() {
  // The lowest free number is taken, so each call fills the hole it finds.
  if (::fcntl(STDIN_FILENO, F_GETFD) == -1) ::open("/dev/null", O_RDONLY);
  if (::fcntl(STDOUT_FILENO, F_GETFD) == -1) ::open("/dev/null", O_RDONLY);
  if (::fcntl(STDERR_FILENO, F_GETFD) == -1) ::open("/dev/null", O_WRONLY);
}

}  // namespace workctl::cli
