#include "cli/parse.h"

#include <doctest/doctest.h>

#include "cli/command_table.h"
#include "cli/options.h"

namespace workctl::cli {

namespace {

using Words = std::vector<std::string>;

/// What the words mean: `command option=value ...`, or `! message`, with the hint after `?`.
std::string parsed(const Words& words) {
  const Result<CommandLine> line = parse_command_line(words);
  if (!line)
    return "! " + line.error().message +
           (line.error().hint.empty() ? "" : " ? " + line.error().hint);
  std::string text(line->command != nullptr ? line->command->name : "-");
  for (const Given& given : line->given)
    text += " " + std::string(given.option->name) +
            (given.option->kind == ValueKind::kFlag ? "" : "=" + given.text);
  return text;
}

struct Case {
  Words words;
  const char* expected;
};

void check(std::initializer_list<Case> cases) {
  for (const Case& one : cases) CHECK(parsed(one.words) == one.expected);
}

}  // namespace

TEST_CASE("parse: options stand before and after the command's name") {
  check({{{"start"}, "start"},
         {{"-o", "json", "start"}, "start --format=json"},
         {{"start", "-o", "json"}, "start --format=json"},
         {{"start", "-ojson"}, "start --format=json"},
         {{"--format=json", "-q", "start"}, "start --format=json --quiet"},
         {{"-qo", "json", "start"}, "start --format=json --quiet"},
         {{"--store", "start", "start"}, "start --store=start"},
         {{"start", "--store=/s", "--token", "7"}, "start --store=/s --token=7"},
         {{"--help", "start"}, "start --help"},
         {{"start", "-h"}, "start --help"}});
}

TEST_CASE("parse: no command is no error here") {
  check({{{}, "-"}, {{"--version"}, "- --version"}, {{"--store", "x"}, "- --store=x"}});
}

TEST_CASE("parse: values are taken as they are") {
  check({{{"create", "--priority", "-5"}, "create --priority=-5"},
         {{"retry", "--reason="}, "retry --reason="},
         {{"retry", "--reason=", "x"}, "retry --reason= ID=x"},
         {{"retry", "--reason", ""}, "retry --reason="},
         {{"retry", "--reason", "--quiet=1"}, "retry --reason=--quiet=1"},
         {{"retry", "--reason", "-o"}, "retry --reason=-o"},
         {{"retry", "--reason=a=b"}, "retry --reason=a=b"},
         {{"retry", "--reason=--"}, "retry --reason=--"},
         {{"create", "--input", "[1,2]"}, "create --input=[1,2]"},
         {{"create", "--input=[\"a\",\"b\"]"}, "create --input=[\"a\",\"b\"]"},
         {{"create", "--capability", "[a,b]"}, "create --capability=[a,b]"},
         {{"create", "--max-attempts", "010"}, "create --max-attempts=010"}});
}

TEST_CASE("parse: a repeatable option takes one value each and no positional") {
  check({{{"claim", "--capability", "a", "--capability=b", "id"},
          "claim --capability=a --capability=b ID=id"}});
}

TEST_CASE("parse: two dashes end options") {
  check({{{"show", "--", "--help"}, "show ID=--help"},
         {{"show", "-o", "id", "--", "-x"}, "show --format=id ID=-x"},
         {{"migrate", "-"}, "migrate FILE=-"},
         {{"show", "--", "--"}, "show ID=--"}});
}

TEST_CASE("parse: what is unknown is named, with what may have been meant") {
  check({{{"craete"}, "! unknown command \"craete\" ? did you mean create?"},
         {{"xyzzy"}, "! unknown command \"xyzzy\" ? workctl --help lists the commands"},
         {{"create", "--defnition", "x"},
          "! unknown option --defnition ? did you mean --definition?"},
         {{"create", "--defnition=x"}, "! unknown option --defnition ? did you mean --definition?"},
         {{"start", "--leaze", "5s"}, "! unknown option --leaze ? see workctl start --help"},
         {{"start", "-z"}, "! unknown option -z ? see workctl start --help"},
         {{"--definition", "x", "create"},
          "! unknown option --definition ? options of a command follow the command's name"},
         {{"--quite", "list"}, "! unknown option --quite ? did you mean --quiet?"}});
}

TEST_CASE("parse: options are not abbreviated, and go by their case") {
  check({{{"list", "--stat", "READY"}, "! unknown option --stat ? did you mean --state?"},
         {{"list", "--STATE", "READY"}, "! unknown option --STATE ? see workctl list --help"}});
}

TEST_CASE("parse: a missing value, a repeated option and a value for a flag are refused") {
  check({{{"heartbeat", "--lease"}, "! option --lease needs a value: --lease DURATION"},
         {{"heartbeat", "--lease", "--", "x"}, "! option --lease needs a value: --lease DURATION"},
         {{"-o"}, "! option --format needs a value: --format FORMAT"},
         {{"heartbeat", "-qo"}, "! option --format needs a value: --format FORMAT"},
         {{"heartbeat", "--lease", "1s", "--lease", "2s"},
          "! option --lease is given more than once"},
         {{"-o", "id", "list", "--format", "id"}, "! option --format is given more than once"},
         {{"claim", "--next=yes"}, "! option --next takes no value"},
         {{"claim", "--next="}, "! option --next takes no value"}});
}

TEST_CASE("parse: more positionals than a command takes are refused") {
  check({{{"show", "a", "b"}, "! unexpected argument \"b\" ? see workctl show --help"},
         {{"recover", "now"}, "! unexpected argument \"now\" ? see workctl recover --help"},
         {{"show", "a", "-5"}, "! unknown option -5 ? see workctl show --help"}});
}

TEST_CASE("parse: the format that words ask for is known even where they are wrong") {
  CHECK(requested_format(Words{"claim", "--nonsense", "-o", "json"}) == "json");
  CHECK(requested_format(Words{"--format=env", "claim", "--nonsense"}) == "env");
  CHECK(requested_format(Words{"-ojsonl", "claim"}) == "jsonl");
  CHECK(requested_format(Words{"claim", "--", "-o", "json"}).empty());
  CHECK(requested_format(Words{"claim", "-o"}).empty());
}

TEST_CASE("parse: the command is known where only its options are wrong") {
  CHECK(named_command(Words{"-q", "claim", "--nonsense"}) == &kClaimCommand);
  CHECK(named_command(Words{"nonsense"}) == nullptr);
  CHECK(named_command(Words{}) == nullptr);
}

}  // namespace workctl::cli
