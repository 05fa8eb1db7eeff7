#include "workctl/base/file_system.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <memory>

#include "support/simulated_file_system.h"

namespace workctl {
namespace {

std::unique_ptr<File> open_log(SimulatedFileSystem& machine) {
  return machine.open_directory("/").value()->open("log", OpenMode::kCreate).value();
}

}  // namespace

TEST_CASE("file_system: reading and writing goes on after an interruption") {
  SimulatedFileSystem machine;
  const auto log = open_log(machine);
  machine.fail("pwrite", 1, EINTR);
  REQUIRE(write_fully(*log, 0, "abc"));
  machine.fail("pread", 1, EINTR);
  std::string buffer(3, ' ');
  CHECK(read_fully(*log, 0, buffer) == 3U);
  CHECK(buffer == "abc");
}

TEST_CASE("file_system: other errors end it and are handed on") {
  SimulatedFileSystem machine;
  const auto log = open_log(machine);
  machine.shorten(1);
  machine.fail("pwrite", 2, ENOSPC);
  CHECK(write_fully(*log, 0, "abcd").error().number == ENOSPC);
  CHECK(machine.contents("/log") == "ab");
  machine.fail("pread", 1, EIO);
  CHECK(read_all(*log, 10).error().number == EIO);
  machine.fail("fstat", 1, EIO);
  CHECK(read_all(*log, 10).error().number == EIO);
}

TEST_CASE("file_system: a file is read whole, or not at all when it is too long") {
  SimulatedFileSystem machine;
  const auto log = open_log(machine);
  CHECK(read_all(*log, 0) == "");
  REQUIRE(write_fully(*log, 0, std::string(10'000, 'x')));
  CHECK(read_all(*log, 10'000) == std::string(10'000, 'x'));
  CHECK(read_all(*log, 9'999).error().number == EFBIG);
}

TEST_CASE("file_system: a file that grows while it is read is read to its end, within the limit") {
  SimulatedFileSystem machine;
  const auto log = open_log(machine);
  const auto grow = [&](std::size_t size) {
    machine.put("/log", "abc");
    bool grown = false;
    machine.observe([&machine, grown, size]() mutable {
      if (grown) return;
      grown = true;
      machine.put("/log", std::string(size, 'x'));
    });
  };
  grow(1000);
  CHECK(read_all(*log, 1000) == std::string(1000, 'x'));
  grow(1001);
  CHECK(read_all(*log, 1000).error().number == EFBIG);
}

TEST_CASE("file_system: a message names the file, the call and the reason") {
  const Error error = describe({ENOSPC, "pwrite"}, "/store/work.jsonl");
  CHECK(error.code == errc::kIoFailure);
  CHECK(error.message == "/store/work.jsonl: pwrite failed: no space left on device");
  CHECK(describe({EIO, "fdatasync"}, "a\nb").message ==
        "a\\x0ab: fdatasync failed: input/output error");
}

}  // namespace workctl
