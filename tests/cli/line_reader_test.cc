#include "cli/line_reader.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>

namespace workctl::cli {

namespace {

class Pipe {
 public:
  Pipe() { REQUIRE(::pipe2(ends_.data(), O_CLOEXEC) == 0); }
  ~Pipe() {
    close_writer();
    ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reader() const { return ends_[0]; }
  void write(const std::string& text) {
    REQUIRE(::write(ends_[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void close_writer() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// The next line as `number:text`; `end` at the end.
std::string next(LineReader& reader) {
  const Result<std::optional<LineReader::Line>> line = reader.next();
  REQUIRE(line.has_value());
  return *line ? std::to_string((*line)->number) + ":" + (*line)->text : "end";
}

}  // namespace

TEST_CASE("line reader: lines come with their numbers, blank ones are passed over") {
  Pipe pipe;
  pipe.write("a\n\n  \t\nb\r\n\nc");
  pipe.close_writer();
  LineReader reader(pipe.reader(), 100);
  CHECK(next(reader) == "1:a");
  CHECK(next(reader) == "4:b\r");
  CHECK(next(reader) == "6:c");
  CHECK(next(reader) == "end");
  CHECK(next(reader) == "end");
}

TEST_CASE("line reader: it is ready when a whole line is there, or the end") {
  Pipe pipe;
  LineReader reader(pipe.reader(), 100);
  CHECK_FALSE(reader.ready());
  pipe.write("half");
  CHECK_FALSE(reader.ready());
  pipe.write(" a line\nnext");
  CHECK(reader.ready());
  CHECK(next(reader) == "1:half a line");
  CHECK_FALSE(reader.ready());
  pipe.close_writer();
  CHECK(reader.ready());
  CHECK(next(reader) == "2:next");
  CHECK(reader.ready());
  CHECK(next(reader) == "end");
}

TEST_CASE("line reader: a line over the limit is counted and not kept") {
  Pipe pipe;
  pipe.write(std::string(9, 'x') + "\n" + std::string(10, 'y') + "\n" + std::string(11, 'z') +
             "\nlast\n");
  pipe.close_writer();
  LineReader reader(pipe.reader(), 10);
  CHECK(next(reader) == "1:xxxxxxxxx");
  CHECK(next(reader) == "2:yyyyyyyyyy");
  const auto line = reader.next();
  REQUIRE((line.has_value() && line->has_value()));
  CHECK((*line)->text.empty());
  CHECK((*line)->bytes == 11);
  const Result<Json> json = parse_line(**line, 10);
  REQUIRE_FALSE(json.has_value());
  CHECK(json.error().message == "it holds 11 bytes, the limit is 10");
  CHECK(next(reader) == "4:last");
}

TEST_CASE("line reader: a line many times the limit costs no more memory than the limit") {
  Pipe pipe;
  LineReader reader(pipe.reader(), 10);
  for (int i = 0; i < 5; ++i) {
    pipe.write(std::string(50'000, 'x'));
    CHECK_FALSE(reader.ready());
  }
  pipe.write("\nlast\n");
  pipe.close_writer();
  const auto line = reader.next();
  REQUIRE((line.has_value() && line->has_value()));
  CHECK((*line)->bytes == 250'000);
  CHECK(next(reader) == "2:last");
}

TEST_CASE("line reader: an input that cannot be read is an error") {
  LineReader reader(-1, 10);
  CHECK_FALSE(reader.next().has_value());
}

TEST_CASE("line reader: a line that is no JSON is refused with its column") {
  const Result<Json> json = parse_line({.number = 7, .text = "{\"a\":}", .bytes = 6}, 100);
  REQUIRE_FALSE(json.has_value());
  CHECK(json.error().message.starts_with("column 6: "));
}

}  // namespace workctl::cli
