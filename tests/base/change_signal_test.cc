/// Being told that a file was written.

#include <doctest/doctest.h>
#include <poll.h>

#include <filesystem>
#include <fstream>

#include "support/temporary_directory.h"
#include "workctl/base/change_signal.h"

namespace workctl {
namespace {

/// A directory with the file `log`, watched.
struct Watched {
  Watched() { write("log", "one\n"); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory / name, std::ios::app) << text;
  }
  bool told() const {
    pollfd one = {.fd = signal->descriptor(), .events = POLLIN, .revents = 0};
    return poll(&one, 1, 0) == 1;
  }

  TemporaryDirectory directory{};
  std::unique_ptr<ChangeSignal> signal = [this] {
    write("log", "");
    return watch_files(directory.path().string(), {"log"});
  }();
};

TEST_CASE("change signal: a write to a watched file is told until it is cleared") {
  Watched watched;
  watched.signal->clear();
  CHECK_FALSE(watched.told());
  watched.write("log", "two\n");
  CHECK(watched.told());
  CHECK(watched.told());
  watched.signal->clear();
  CHECK_FALSE(watched.told());
  watched.write("log", "three\n");
  CHECK(watched.told());
}

TEST_CASE("change signal: what is written to a neighbour is not told") {
  Watched watched;
  watched.write("other", "");
  watched.signal->clear();
  watched.write("other", "text\n");
  CHECK_FALSE(watched.told());
}

TEST_CASE("change signal: a file that takes the watched name is told, and watched from then on") {
  Watched watched;
  watched.signal->clear();
  watched.write("next", "new\n");
  std::filesystem::rename(watched.directory / "next", watched.directory / "log");
  CHECK(watched.told());
  watched.signal->clear();
  CHECK_FALSE(watched.told());
  watched.write("log", "more\n");
  CHECK(watched.told());
}

TEST_CASE("change signal: where the directory cannot be watched, there is no descriptor") {
  TemporaryDirectory directory;
  const auto signal = watch_files(directory / "none", {"log"});
  CHECK(signal->descriptor() == -1);
  signal->clear();
}

}  // namespace
}  // namespace workctl
