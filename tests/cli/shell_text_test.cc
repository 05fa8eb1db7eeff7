#include "cli/shell_text.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

namespace workctl::cli {

namespace {

struct Ended {
  std::string output;
  int status;
};

/// Runs a POSIX shell; what it printed and its exit status.
Ended shell(const std::string& script) {
  std::FILE* pipe = ::popen(("sh -c " + shell_quote(script)).c_str(), "r");
  std::string output;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  const int status = ::pclose(pipe);
  return {output, WEXITSTATUS(status)};
}

const std::vector<std::string> kHostile = {
    "",
    "plain",
    "it's",
    "'; touch owned; '",
    "$(exit 3)`exit 3`",
    "a\nb\n",
    "\"double\" \\ back\\slash",
    "-n",
    "*?[a-z]~ {a,b}",
    "ünïcödé \xF0\x9F\x98\x80",
    "\t\r\x1B[31m",
    "!history!",
};

}  // namespace

TEST_CASE("shell text: assignments survive eval, whatever they hold") {
  for (const std::string& value : kHostile) {
    CAPTURE(value);
    const Result<std::string> text =
        assignments_text({{"WORKCTL_WORKLOAD", value}, {"WORKCTL_TOKEN", "7"}});
    REQUIRE(text.has_value());
    const Ended ended = shell("answer=" + shell_quote(*text) +
                              "\neval \"$answer\" && sh -c 'printf \"%s|%s\" "
                              "\"$WORKCTL_WORKLOAD\" \"$WORKCTL_TOKEN\"'");
    CHECK(ended.output == value + "|7");
    CHECK(ended.status == 0);
  }
}

TEST_CASE("shell text: a NUL cannot be assigned") {
  const Result<std::string> text = assignments_text({{"WORKCTL_WORKER", std::string("a\0b", 3)}});
  REQUIRE_FALSE(text.has_value());
  CHECK(text.error().message == "WORKCTL_WORKER cannot be assigned: its value holds a NUL");
}

TEST_CASE("shell text: a failure clears what an earlier claim assigned, and fails in eval") {
  const Ended ended =
      shell("WORKCTL_WORKLOAD=w WORKCTL_CLAIM=c WORKCTL_TOKEN=1 WORKCTL_WORKER=me\n" +
            std::string("answer=") + shell_quote(failed_assignments_text(8)) +
            "\neval \"$answer\" && echo unreachable\n"
            "status=$?; echo \"$WORKCTL_WORKLOAD$WORKCTL_CLAIM$WORKCTL_TOKEN$WORKCTL_WORKER\"; "
            "exit $status");
  CHECK(ended.output == "me\n");
  CHECK(ended.status == 8);
}

}  // namespace workctl::cli
