#include "workctl/base/json_patch.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/random_json.h"

namespace workctl {
namespace {

Json json_of(std::string_view text) { return parse_json(text, "text").value(); }

std::string patch_text(std::string_view from, std::string_view to) {
  return canonical_text(make_patch(json_of(from), json_of(to)));
}

/// The canonical text of `document` after `patch`, or "refused".
std::string patched(std::string_view document, std::string_view patch) {
  Json value = json_of(document);
  const auto applied = apply_patch(value, json_of(patch));
  if (applied) return canonical_text(value);
  CHECK(applied.error().code == errc::kInvalidInput);
  return "refused";
}

}  // namespace

TEST_CASE("json_patch: a patch turns one value into the other exactly") {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    RandomJson random(seed);
    const Json from = random.value(4);
    const Json to = seed % 2 == 0 ? random.changed(from, 4) : random.value(4);
    // As the log does it: the patch is written down and read back.
    const Json patch = json_of(canonical_text(make_patch(from, to)));
    Json result = from;
    const auto applied = apply_patch(result, patch);
    CAPTURE(seed);
    CAPTURE(canonical_text(from));
    CAPTURE(canonical_text(patch));
    REQUIRE_MESSAGE(applied, applied.error().message);
    REQUIRE(canonical_text(result) == canonical_text(to));
    REQUIRE(patch.empty() == same_value(from, to));
  }
}

TEST_CASE("json_patch: equal numbers that are different values are replaced") {
  CHECK(patch_text("1", "1.0") == R"([{"op":"replace","path":"","value":1.0}])");
  CHECK(patch_text(R"({"a":0.0})", R"({"a":-0.0})") ==
        R"([{"op":"replace","path":"/a","value":-0.0}])");
  CHECK(patch_text("[1]", "[1]") == "[]");
  CHECK(make_patch(Json(1), Json(1U)).empty());
}

TEST_CASE("json_patch: what is appended to an array costs what it holds") {
  CHECK(patch_text("[1,2,3]", "[1,2,3,4,5]") ==
        R"([{"op":"add","path":"/-","value":4},{"op":"add","path":"/-","value":5}])");
  CHECK(patch_text("[1,2,3]", "[1]") ==
        R"([{"op":"remove","path":"/2"},{"op":"remove","path":"/1"}])");
  CHECK(patch_text(R"([{"s":1},{"s":2}])", R"([{"s":1},{"s":3},{}])") ==
        R"([{"op":"replace","path":"/1/s","value":3},{"op":"add","path":"/-","value":{}}])");
}

TEST_CASE("json_patch: names are escaped in paths") {
  CHECK(patch_text("{}", R"({"a/b~c":1})") == R"([{"op":"add","path":"/a~1b~0c","value":1}])");
  CHECK(patch_text(R"({"":{"~1":1}})", R"({"":{}})") == R"([{"op":"remove","path":"//~01"}])");
}

TEST_CASE("json_patch: every operation of RFC 6902 is understood") {
  CHECK(patched(R"({"a":1})", R"([{"op":"add","path":"/b","value":[2]}])") == R"({"a":1,"b":[2]})");
  CHECK(patched("[1,3]", R"([{"op":"add","path":"/1","value":2}])") == "[1,2,3]");
  CHECK(patched("[1]", R"([{"op":"add","path":"/1","value":2}])") == "[1,2]");
  CHECK(patched(R"({"a":[0]})", R"([{"op":"add","path":"/a","value":1}])") == R"({"a":1})");
  CHECK(patched("[1]", R"([{"op":"add","path":"","value":null}])") == "null");
  CHECK(patched("[1,2,3]", R"([{"op":"remove","path":"/1"}])") == "[1,3]");
  CHECK(patched(R"({"a":{"b":1}})", R"([{"op":"move","from":"/a/b","path":"/c"}])") ==
        R"({"a":{},"c":1})");
  CHECK(patched("[1,2,3]", R"([{"op":"move","from":"/0","path":"/2"}])") == "[2,3,1]");
  CHECK(patched(R"({"a":1})", R"([{"op":"move","from":"/a","path":"/a"}])") == R"({"a":1})");
  CHECK(patched(R"({"a":[1]})", R"([{"op":"copy","from":"/a","path":"/a/-"}])") ==
        R"({"a":[1,[1]]})");
  CHECK(patched(R"({"a":1})", R"([{"op":"test","path":"/a","value":1}])") == R"({"a":1})");
  CHECK(patched(R"({"a":1})", R"([{"op":"remove","path":"/a","why":"not known"}])") == "{}");
}

TEST_CASE("json_patch: what does not fit is refused") {
  for (const char* patch : {R"({})",
                            R"([1])",
                            R"([{}])",
                            R"([{"op":"add","path":"/b"}])",
                            R"([{"op":"add","path":"b","value":1}])",
                            R"([{"op":"add","path":"/~","value":1}])",
                            R"([{"op":"add","path":"/~2","value":1}])",
                            R"([{"op":"add","path":"/x/y","value":1}])",
                            R"([{"op":"add","path":"/n/y","value":1}])",
                            R"([{"op":"add","path":"/l/3","value":1}])",
                            R"([{"op":"add","path":"/l/01","value":1}])",
                            R"([{"op":"add","path":"/l/x","value":1}])",
                            R"([{"op":"add","path":"/l/-1","value":1}])",
                            R"([{"op":"remove","path":""}])",
                            R"([{"op":"add","path":"/l/18446744073709551616","value":1}])",
                            R"([{"op":"remove","path":"/b"}])",
                            R"([{"op":"remove","path":"/n/y"}])",
                            R"([{"op":"remove","path":"/l/-"}])",
                            R"([{"op":"remove","path":"/l/2"}])",
                            R"([{"op":"replace","path":"/b","value":1}])",
                            R"([{"op":"replace","path":"/l/2","value":1}])",
                            R"([{"op":"test","path":"/n","value":1.0}])",
                            R"([{"op":"test","path":"/b","value":null}])",
                            R"([{"op":"move","from":"/b","path":"/c"}])",
                            R"([{"op":"move","from":"/l","path":"/l/0"}])",
                            R"([{"op":"move","from":"","path":"/c"}])",
                            R"([{"op":"copy","from":"/b","path":"/c"}])",
                            R"([{"op":"copy","path":"/c"}])",
                            R"([{"op":"add","path":7,"value":1}])",
                            R"([{"op":"merge","path":"/n","value":1}])"}) {
    CAPTURE(patch);
    CHECK(patched(R"({"n":1,"l":[1,2]})", patch) == "refused");
  }
  Json value = json_of("{}");
  const auto refused = apply_patch(
      value, json_of(R"([{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}])"));
  REQUIRE(!refused);
  CHECK(refused.error().message ==
        R"(operation 2 of the patch does not fit: {"op":"remove","path":"/b"})");
}

}  // namespace workctl
