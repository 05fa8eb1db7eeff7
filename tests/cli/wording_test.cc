#include "cli/wording.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/progress.h"

namespace workctl::cli {

TEST_CASE("wording: no control character of the data comes through") {
  const Json object = {{"text", "a\x1B[31mb\n"}, {"list", {"\x07", 1}}, {"nothing", nullptr}};
  CHECK(member_text(object, "text") == "a\\x1b[31mb\\x0a");
  CHECK(member_text(object, "list") == R"(["\u0007",1])");
  CHECK(member_text(object, "nothing") == "-");
  CHECK(member_text(object, "absent") == "-");
  CHECK(state_text("\x1B]0;x", {.color = true}) == "\\x1b]0;x");
}

TEST_CASE("wording: a text is shortened by columns, not bytes") {
  CHECK(columns("äöü") == 3);
  CHECK(shortened("äöüäöü", 6) == "äöüäöü");
  CHECK(shortened("äöüäöü", 5) == "äö...");
  CHECK(shortened("abcdef", 2) == "ab");
}

TEST_CASE("wording: a table is fitted to the terminal") {
  using enum Column::Fit;
  const std::vector<Column> columns = {{"ID"}, {"STATE"}, {"NAME", kShortened}, {"AGE", kDropped}};
  const std::vector<std::vector<std::string>> rows = {{"1", "READY", "a name of some length", "5"},
                                                      {"22", "FAILED", "short", "7"}};
  CHECK(table(columns, rows, {}) ==
        "ID  STATE   NAME                   AGE\n"
        "1   READY   a name of some length  5\n"
        "22  FAILED  short                  7\n");
  CHECK(table(columns, rows, {.width = 29}) ==
        "ID  STATE   NAME          AGE\n"
        "1   READY   a name of...  5\n"
        "22  FAILED  short         7\n");
  CHECK(table(columns, rows, {.width = 20}) ==
        "ID  STATE   NAME\n"
        "1   READY   a nam...\n"
        "22  FAILED  short\n");
  CHECK(table(columns, rows, {.width = 5}) ==
        "ID  STATE   NAME\n"
        "1   READY   a...\n"
        "22  FAILED  s...\n");
}

TEST_CASE("wording: states are coloured where colours are wanted") {
  CHECK(table({{"ID"}, {"STATE"}}, {{"1", "READY"}, {"2", "FAILED"}}, {.color = true}) ==
        "\033[1mID  STATE\033[0m\n"
        "1   READY\n"
        "2   \033[31mFAILED\033[0m\n");
}

TEST_CASE("wording: text is broken at spaces") {
  CHECK(wrapped("one two three", 7, 2) == "one two\n  three");
  CHECK(wrapped("one\n\ntwo three four", 9, 0) == "one\n\ntwo three\nfour");
  CHECK(wrapped("unbreakable is long", 5, 0) == "unbreakable\nis\nlong");
  CHECK(wrapped("", 5, 0).empty());
}

TEST_CASE("wording: counts have the right number") {
  CHECK(counted(0, "line") == "0 lines");
  CHECK(counted(1, "line") == "1 line");
  CHECK(counted(2, "line") == "2 lines");
}

TEST_CASE("progress: a bar fits its terminal") {
  CHECK(progress_line("read", 1, 2, 35) == "read  [##########..........]  50%");
  CHECK(progress_line("read", 2, 2, 35) == "read  [####################] 100%");
  CHECK(progress_line("read", 0, 0, 35) == "read  [....................]   0%");
  CHECK(progress_line("read", 9, 2, 20) == "read 100%");
  CHECK(progress_line("read", 1, 2, 500).size() < 60);
}

}  // namespace workctl::cli
