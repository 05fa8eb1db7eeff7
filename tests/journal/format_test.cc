// The format is final: the manual's worked example and every log ever committed here must keep
// loading.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "journal/line_codec.h"
#include "journal/log_format.h"
#include "support/temporary_directory.h"
#include "workctl/base/digest.h"
#include "workctl/base/file_system.h"
#include "workctl/journal/verify.h"

namespace workctl {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), path.string());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class Counting final : public CommitSink {
 public:
  void reset() override { commits = 0; }
  Result<void> apply(Commit&& /*commit*/) override {
    ++commits;
    return {};
  }
  std::uint64_t commits = 0;
};

const std::filesystem::path kFormatFolder = WORKCTL_FORMAT_FOLDER;
const std::filesystem::path kManualFolder = WORKCTL_MANUAL_FOLDER;

TEST_CASE("format: the manual's worked example is the committed log, byte for byte") {
  const std::string manual = read_file(kManualFolder / "workctl-log.5");
  const std::string example = read_file(kFormatFolder / "v1" / "example.jsonl");
  REQUIRE(example.size() > 500);
  CHECK(manual.find(".Bd -literal\n" + example + ".Ed\n") != std::string::npos);
}

TEST_CASE("format: the worked example's digests follow from its bytes alone") {
  // By hand, without the code that writes logs: the rule is 64 digits and the bytes before the
  // member.
  std::istringstream lines(read_file(kFormatFolder / "v1" / "example.jsonl"));
  std::string last(64, '0');
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const std::size_t member = line.size() - 77;
    REQUIRE(line.substr(member, 11) == ",\"digest\":\"");
    const std::string digest = line.substr(member + 11, 64);
    CHECK(digest == sha256_hex(last + line.substr(0, member)));
    last = digest;
  }
  CHECK(count == 3);
}

TEST_CASE("format: the worked example is what this version writes") {
  LogHeader header;
  header.store_id = "store_00112233445566778899aabbccddeeff";
  header.created_at = 1700000000;
  std::string log = finish_line(encode_header(header), log_format::no_digest());
  LineParts parts;
  REQUIRE(split_line(log, parts));
  CommitLine line;
  const WriteText made{"notes", "a", 1, WriteForm::kDocument,
                       R"({"n":1,"text":"to be changed by a patch"})"};
  line.add(1, "tx_0123456789abcdef0123456789abcdef", 1700000001, std::span(&made, 1), "[]");
  const std::string second = line.finish(parts.digest);
  REQUIRE(split_line(second, parts));
  line.clear();
  const WriteText changed{"notes", "a", 2, WriteForm::kPatch,
                          R"([{"op":"replace","path":"/n","value":2}])"};
  line.add(2, "tx_123456789abcdef0123456789abcdef0", 1700000002, std::span(&changed, 1), "[]");
  const WriteText removed{"notes", "a", 3, WriteForm::kDocument, "null"};
  line.add(3, "tx_23456789abcdef0123456789abcdef01", 1700000002, std::span(&removed, 1), "[]");
  log += second + line.finish(parts.digest);
  CHECK(log == read_file(kFormatFolder / "v1" / "example.jsonl"));
}

TEST_CASE("format: every log of format 1 loads") {
  int logs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFormatFolder / "v1")) {
    if (entry.path().extension() != ".jsonl") continue;
    CAPTURE(entry.path().string());
    const TemporaryDirectory store;
    std::filesystem::copy_file(entry.path(), store.path() / kLogName);
    std::filesystem::permissions(store.path() / kLogName, std::filesystem::perms(0600));
    const auto directory = posix_file_system().open_directory(store.path());
    REQUIRE(directory);
    Counting sink;
    const auto report = verify_log(**directory, {}, sink, {});
    REQUIRE(report);
    CHECK(report->end == VerifyReport::End::kClean);
    CHECK(report->problem == "");
    CHECK(report->revisions == sink.commits);
    CHECK(report->revisions > 0);
    CHECK(report->bytes == std::filesystem::file_size(entry.path()));
    ++logs;
  }
  CHECK(logs > 0);
}

}  // namespace
}  // namespace workctl
