#include "cli/suggestion.h"

#include <doctest/doctest.h>

#include <array>

namespace workctl::cli {

namespace {

constexpr std::array<std::string_view, 6> kWords = {"create", "claim", "complete",
                                                    "cancel", "list",  "--definition"};

}  // namespace

TEST_CASE("suggestion: the nearest word is meant") {
  CHECK(nearest("craete", kWords) == "create");
  CHECK(nearest("creat", kWords) == "create");
  CHECK(nearest("clam", kWords) == "claim");
  CHECK(nearest("canceled", kWords) == "cancel");
  CHECK(nearest("lits", kWords) == "list");
  CHECK(nearest("--defintion", kWords) == "--definition");
  CHECK(nearest("compl", kWords) == "complete");
}

TEST_CASE("suggestion: what is like nothing gets none") {
  CHECK(nearest("xyzzy", kWords).empty());
  CHECK(nearest("", kWords).empty());
  CHECK(nearest("ls", kWords).empty());
  CHECK(nearest(std::string(10'000, 'c'), kWords).empty());
  CHECK(suggestion("xyzzy", kWords, "see help") == "see help");
  CHECK(suggestion("clam", kWords, "see help") == "did you mean claim?");
}

}  // namespace workctl::cli
