#include "journal/line_codec.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "journal/log_format.h"
#include "workctl/base/digest.h"

namespace workctl {
namespace {

LogHeader a_header() {
  LogHeader header;
  header.store_id = "store_00";
  header.created_at = 1700000000;
  return header;
}

/// Keeps what it is given.
class Commits final : public CommitSink {
 public:
  void reset() override { commits.clear(); }
  Result<void> apply(Commit&& commit) override {
    commits.push_back(std::move(commit));
    return {};
  }
  std::vector<Commit> commits;
};

CommitLine a_line(std::uint64_t revision) {
  const WriteText write{"notes", "k\"ey\n", 1, WriteForm::kDocument, R"({"a":[1,2.5,"x"]})"};
  CommitLine line;
  line.add(revision, "tx_1", -7, std::span(&write, 1), R"([{"who":"me"}])");
  return line;
}

TEST_CASE("journal: a header comes back as it was written") {
  LogHeader header = a_header();
  header.generation = 3;
  header.previous_generation = std::string(64, 'a');
  const auto back = decode_header(encode_header(header));
  REQUIRE(back);
  CHECK(back->store_id == "store_00");
  CHECK(back->generation == 3);
  CHECK(back->created_at == 1700000000);
  CHECK(back->previous_generation == header.previous_generation);
}

TEST_CASE("journal: a header that asks for more than is known is refused as newer") {
  LogHeader header = a_header();
  header.read_features = {"sealed-documents"};
  const auto refused = decode_header(encode_header(header));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == errc::kStoreTooNew);
  CHECK(refused.error().message.find("sealed-documents") != std::string::npos);

  const auto version = decode_header(R"({"workctl_log":2,"anything":"else")");
  REQUIRE_FALSE(version);
  CHECK(version.error().code == errc::kStoreTooNew);
  CHECK(version.error().message.find("format 2") != std::string::npos);
}

TEST_CASE("journal: a write feature that is not known allows reading and refuses writing") {
  LogHeader header = a_header();
  header.write_features = {"quorum"};
  const auto back = decode_header(encode_header(header));
  REQUIRE(back);
  const auto writable = check_writable(*back);
  REQUIRE_FALSE(writable);
  CHECK(writable.error().code == errc::kStoreTooNew);
}

TEST_CASE("journal: what is no header is damage, not a newer format") {
  for (const char* body :
       {"{\"workctl_log\":1", "{\"workctl_log\":1,\"store\":7", "{\"commits\":[]", "{", ""}) {
    CAPTURE(body);
    const auto refused = decode_header(body);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::kStoreDamaged);
  }
}

TEST_CASE("journal: a line carries the digest of the line before and of its own bytes") {
  const std::string line = finish_line("{\"a\":1", log_format::no_digest());
  CHECK(line == "{\"a\":1,\"digest\":\"" + sha256_hex(std::string(64, '0') + "{\"a\":1") + "\"}\n");
  LineParts parts;
  REQUIRE(split_line(line, parts));
  CHECK(parts.body == "{\"a\":1");
  CHECK(parts.digest == line_digest("{\"a\":1", log_format::no_digest()));
}

TEST_CASE("journal: a line whose end has another form is not taken apart") {
  const std::string line = finish_line("{\"a\":1", log_format::no_digest());
  LineParts parts;
  CHECK_FALSE(split_line("", parts));
  CHECK_FALSE(split_line(line.substr(6), parts));
  CHECK_FALSE(split_line(line.substr(0, line.size() - 2), parts));
  for (std::size_t at = line.size() - log_format::kSuffixLength; at + 1 < line.size(); ++at) {
    std::string changed = line;
    changed[at] = 'G';
    CAPTURE(at);
    CHECK_FALSE(split_line(changed, parts));
  }
}

TEST_CASE("journal: commits come back as they were written, in order") {
  CommitLine line = a_line(5);
  const WriteText removal{"notes", "k", 2, WriteForm::kDocument, "null"};
  const WriteText patch{"notes", "l", 9, WriteForm::kPatch, R"([{"op":"remove","path":"/a"}])"};
  const WriteText both[] = {removal, patch};
  line.add(6, "tx_2", 8, both, "[]");
  CHECK(line.count() == 2);
  CHECK(line.last_revision() == 6);
  const std::string text = line.finish(log_format::no_digest());
  CHECK(line.bytes() == text.size());
  LineParts parts;
  REQUIRE(split_line(text, parts));

  LogPosition position;
  position.revision = 4;
  Commits sink;
  REQUIRE(deliver_line(parts.body, {}, position, sink));
  REQUIRE(sink.commits.size() == 2);
  CHECK(position.revision == 6);
  CHECK(position.at == 8);
  const Commit& first = sink.commits[0];
  CHECK(first.transaction == "tx_1");
  CHECK(first.at == -7);
  CHECK(first.writes.at(0).key == "k\"ey\n");
  CHECK(canonical_text(first.writes.at(0).body) == R"({"a":[1,2.5,"x"]})");
  CHECK(canonical_text(first.audit) == R"([{"who":"me"}])");
  CHECK(sink.commits[1].writes.at(0).body.is_null());
  CHECK(sink.commits[1].writes.at(1).form == WriteForm::kPatch);
  CHECK(sink.commits[1].writes.at(1).version == 9);
}

TEST_CASE("journal: a line that does not follow on, or is of another kind, is refused") {
  const auto deliver = [](const std::string& body) {
    LogPosition position;
    position.line = 3;
    position.offset = 900;
    Commits sink;
    return deliver_line(body, {}, position, sink);
  };
  const std::string text = a_line(2).finish(log_format::no_digest());
  LineParts parts;
  REQUIRE(split_line(text, parts));
  const auto gap = deliver(std::string(parts.body));
  REQUIRE_FALSE(gap);
  CHECK(gap.error().code == errc::kStoreDamaged);
  CHECK(gap.error().message.find("line 4 (byte 900)") != std::string::npos);
  CHECK(deliver("{\"snapshot\":[]").error().code == errc::kStoreTooNew);
  CHECK(deliver("{\"commits\":[7]").error().code == errc::kStoreDamaged);
  CHECK(deliver("{\"commits\":[{\"revision\":1}]").error().code == errc::kStoreDamaged);
  CHECK(deliver("{\"commits\":[").error().code == errc::kStoreDamaged);
}

TEST_CASE("journal: members that are not known are ignored") {
  LogPosition position;
  Commits sink;
  REQUIRE(deliver_line(R"({"commits":[{"revision":1,"transaction":"t","at":1,"later":{"x":[]},)"
                       R"("writes":[{"collection":"c","key":"k","version":1,"document":{},)"
                       R"("hint":9}],"audit":[]}],"note":"n")",
                       {}, position, sink));
  CHECK(sink.commits.size() == 1);
}

}  // namespace
}  // namespace workctl
