#include <doctest/doctest.h>

#include <fstream>

#include "cli/arguments.h"
#include "cli/options.h"
#include "support/temporary_directory.h"

namespace workctl::cli {

namespace {

constexpr Instant kReferenceNow = 1'800'000'000;

Result<Value> read(const Option& option, const std::string& text) {
  Input input;
  return read_value(option, text, "--x", kReferenceNow, input);
}

/// The message that refuses `text`.
std::string refusal(const Option& option, const std::string& text) {
  const Result<Value> value = read(option, text);
  return value ? "accepted" : value.error().message;
}

template <class T>
T value(const Option& option, const std::string& text) {
  const Result<Value> value = read(option, text);
  REQUIRE_MESSAGE(value.has_value(), text);
  return std::get<T>(*value);
}

constexpr Option of(ValueKind kind) { return {.name = "--x", .kind = kind, .value_name = "X"}; }

std::string file_with(const TemporaryDirectory& directory, const std::string& content) {
  const std::string path = directory / "value";
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

}  // namespace

TEST_CASE("value: a count is decimal, whole and within its limits") {
  const Option count = of(ValueKind::kCount);
  CHECK(value<std::uint64_t>(count, "0") == 0);
  CHECK(value<std::uint64_t>(count, "010") == 10);
  CHECK(value<std::uint64_t>(count, "18446744073709551615") == UINT64_MAX);
  CHECK(refusal(count, "18446744073709551616") ==
        "--x: must be from 0 to 18446744073709551615, not 18446744073709551616");
  for (const char* text : {"1.5", "0x10", "+1", " 1", "1 ", "one", "-", "1-"})
    CHECK(refusal(count, text) == "--x: \"" + std::string(text) + "\" is not a whole number");
  const Option some = {.name = "--x", .kind = ValueKind::kCount, .minimum = 1};
  CHECK(refusal(some, "0") == "--x: must be at least 1, not 0");
  CHECK(refusal(some, "-3") == "--x: must be at least 1, not -3");
  const Option few = {.name = "--x", .kind = ValueKind::kCount, .minimum = 1, .maximum = 9};
  CHECK(refusal(few, "10") == "--x: must be from 1 to 9, not 10");
}

TEST_CASE("value: an integer has 32 bits") {
  const Option integer = of(ValueKind::kInteger);
  CHECK(value<std::int64_t>(integer, "-2147483648") == INT32_MIN);
  CHECK(value<std::int64_t>(integer, "2147483647") == INT32_MAX);
  CHECK(refusal(integer, "2147483648") ==
        "--x: must be from -2147483648 to 2147483647, not 2147483648");
  CHECK(refusal(integer, "99999999999999999999") ==
        "--x: must be from -2147483648 to 2147483647, not 99999999999999999999");
}

TEST_CASE("value: a lease lasts a second at least") {
  const Option lease = {.name = "--x", .kind = ValueKind::kDuration, .minimum = kLeaseMinMs};
  CHECK(value<std::uint64_t>(lease, "1s") == 1000);
  CHECK(value<std::uint64_t>(lease, "2h30m") == 9'000'000);
  CHECK(refusal(lease, "999ms") == "--x: must be at least 1s, not 999ms");
  CHECK(refusal(lease, "0") == "--x: must be at least 1s, not 0");
  CHECK(refusal(lease, "soon").starts_with("--x: "));
}

TEST_CASE("value: an instant may count from now") {
  const Option instant = of(ValueKind::kInstant);
  CHECK(value<std::int64_t>(instant, "+15m") == kReferenceNow + 900);
  CHECK(value<std::int64_t>(instant, "1800000007") == 1'800'000'007);
  CHECK(value<std::int64_t>(instant, "2027-01-15T08:00:00Z") == kReferenceNow);
  CHECK(refusal(instant, "2027-01-15T08:00:00").starts_with("--x: "));
}

TEST_CASE("value: states are known in any letter case and with dashes") {
  const Option state = of(ValueKind::kState);
  CHECK(value<std::string>(state, "dead-letter") == "DEAD_LETTER");
  CHECK(value<std::string>(state, "READY") == "READY");
  const Result<Value> wrong = read(state, "DEAD");
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().message == "--x: \"DEAD\" is not a state");
  CHECK(wrong.error().hint == "did you mean DEAD_LETTER?");
}

TEST_CASE("value: subjects and dependencies become what documents hold") {
  CHECK(value<Json>(of(ValueKind::kSubject), "service:a:b") ==
        Json({{"kind", "service"}, {"id", "a:b"}}));
  CHECK(refusal(of(ValueKind::kSubject), "ada") ==
        "--x: \"ada\" is not KIND:ID, such as human:ada");
  CHECK(refusal(of(ValueKind::kSubject), "robot:r") == "--x: \"robot\" is not a kind of subject");
  CHECK(value<Json>(of(ValueKind::kDependency), "w1") ==
        Json({{"workload_id", "w1"}, {"required_state", "SUCCEEDED"}}));
  CHECK(value<Json>(of(ValueKind::kDependency), "w1=failed") ==
        Json({{"workload_id", "w1"}, {"required_state", "FAILED"}}));
  CHECK(refusal(of(ValueKind::kDependency), "w1=") == "--x: \"\" is not a state");
  CHECK(refusal(of(ValueKind::kDependency), "=READY") ==
        "--x: \"=READY\" names no workload (ID or ID=STATE)");
}

TEST_CASE("value: a choice is one of its words") {
  CHECK(value<std::string>(kFormat, "jsonl") == "jsonl");
  CHECK(refusal(kFormat, "yaml") == "--x: \"yaml\" is none of text, json, jsonl, id, env");
}

TEST_CASE("value: names are not empty, text may be") {
  CHECK(refusal(of(ValueKind::kName), "") == "--x: must not be empty");
  CHECK(value<std::string>(of(ValueKind::kText), "").empty());
}

TEST_CASE("value: nothing but UTF-8 comes in") {
  TemporaryDirectory directory;
  CHECK(refusal(of(ValueKind::kName), "a\xFF") == "--x: not valid UTF-8");
  const std::string path = file_with(directory, "\xC3");
  CHECK(refusal(of(ValueKind::kText), "@" + path) == "--x @" + path + ": not valid UTF-8");
  CHECK(refusal(of(ValueKind::kJson), "\"\xC3\"").starts_with("--x"));
}

TEST_CASE("value: a file gives the value, and two at signs give one") {
  TemporaryDirectory directory;
  const std::string path = file_with(directory, "{\"a\": 1}\n");
  CHECK(value<Json>(of(ValueKind::kJson), "@" + path) == Json({{"a", 1}}));
  CHECK(value<std::string>(of(ValueKind::kText), "@" + path) == "{\"a\": 1}\n");
  CHECK(value<std::string>(of(ValueKind::kText), "@@me") == "@me");
  CHECK(value<std::string>(of(ValueKind::kName), "@me") == "@me");
  CHECK(value<Json>(of(ValueKind::kJsonFile), path) == Json({{"a", 1}}));
  CHECK(refusal(of(ValueKind::kText), "@") ==
        "--x: \"@\" names no file (@FILE, or @- for standard input)");
  CHECK(refusal(of(ValueKind::kJson), "@" + (directory / "none")) ==
        "--x: cannot read " + (directory / "none") + ": No such file or directory");
}

TEST_CASE("value: JSON that is none is refused with its line and column") {
  TemporaryDirectory directory;
  CHECK(refusal(of(ValueKind::kJson), "{\"a\": }").starts_with("--x: line 1, column 7: "));
  const std::string path = file_with(directory, "{\n\"a\": }");
  CHECK(
      refusal(of(ValueKind::kJson), "@" + path).starts_with("--x @" + path + ": line 2, column "));
}

TEST_CASE("value: a document over the limit is refused with both numbers") {
  TemporaryDirectory directory;
  const std::string path = file_with(directory, "");
  std::filesystem::resize_file(path, kInputBytesMax + 1);
  const Result<Value> value = read(of(ValueKind::kJson), "@" + path);
  REQUIRE_FALSE(value.has_value());
  CHECK(value.error().message == "--x: " + path + " holds 16777217 bytes, the limit is 16777216");
  CHECK(value.error().code.name == "TOO_LARGE");
}

TEST_CASE("value: standard input is read for one option only") {
  Input input;
  REQUIRE(input.open("-", "--from").has_value());
  const Result<int> again = input.open("-", "--input");
  REQUIRE_FALSE(again.has_value());
  CHECK(again.error().message == "--input: standard input is already read for --from");
}

}  // namespace workctl::cli
