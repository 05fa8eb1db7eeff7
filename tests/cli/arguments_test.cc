#include "cli/arguments.h"

#include <doctest/doctest.h>

#include <map>

#include "cli/options.h"

namespace workctl::cli {

namespace {

constexpr Option kCapability = {.name = "--capability",
                                .kind = ValueKind::kName,
                                .variable = "WORKCTL_CAPABILITIES",
                                .repeatable = true};
constexpr Option kPlain = {
    .name = "--plain", .kind = ValueKind::kName, .value_name = "TEXT", .required = true};
constexpr const Option* kOptions[] = {&kLockTimeout, &kCapability, &kWorkload, &kPlain, &kQuiet};

using Variables = std::map<std::string, std::string>;

Result<Arguments> read(const std::vector<Given>& given, const Variables& variables = {}) {
  Arguments arguments = Arguments::collect(given, kOptions, [&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
  Input input;
  WORKCTL_CHECK(arguments.convert(0, input));
  return arguments;
}

}  // namespace

TEST_CASE("arguments: the line goes before the variable, the variable before the default") {
  const Variables variables = {{"WORKCTL_LOCK_TIMEOUT", "2s"}};
  CHECK(read({{&kLockTimeout, "1s"}}, variables)->duration_ms(kLockTimeout) == 1000);
  CHECK(read({}, variables)->duration_ms(kLockTimeout) == 2000);
  CHECK(read({})->duration_ms(kLockTimeout) == 10'000);
  CHECK(read({{&kLockTimeout, "1s"}})->given(kLockTimeout));
  CHECK_FALSE(read({}, variables)->given(kLockTimeout));
}

TEST_CASE("arguments: an empty variable is none") {
  CHECK(read({}, {{"WORKCTL_LOCK_TIMEOUT", ""}})->duration_ms(kLockTimeout) == 10'000);
  CHECK_FALSE(read({}, {{"WORKCTL_WORKLOAD", ""}})->has(kWorkload));
}

TEST_CASE("arguments: a variable that cannot be used is named") {
  const Result<Arguments> arguments = read({}, {{"WORKCTL_LOCK_TIMEOUT", "soon"}});
  REQUIRE_FALSE(arguments.has_value());
  CHECK(arguments.error().message.starts_with("WORKCTL_LOCK_TIMEOUT: "));
}

TEST_CASE("arguments: a variable holds several values of a repeatable option") {
  const Result<Arguments> arguments = read({}, {{"WORKCTL_CAPABILITIES", "a,b:c,,d e"}});
  REQUIRE(arguments.has_value());
  CHECK(arguments->texts(kCapability) == std::vector<std::string>{"a", "b:c", "d e"});
  CHECK(read({{&kCapability, "x"}}, {{"WORKCTL_CAPABILITIES", "a"}})->texts(kCapability) ==
        std::vector<std::string>{"x"});
}

TEST_CASE("arguments: what is required and missing is named, with its variable") {
  const Result<void> missing = read({{&kPlain, "p"}})->check_required(kOptions);
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().message == "no ID given");
  CHECK(missing.error().hint == "the variable WORKCTL_WORKLOAD can hold it, too");
  const Result<void> option = read({{&kWorkload, "w"}})->check_required(kOptions);
  REQUIRE_FALSE(option.has_value());
  CHECK(option.error().message == "option --plain TEXT is needed");
  CHECK(read({{&kPlain, "p"}}, {{"WORKCTL_WORKLOAD", "w"}})->check_required(kOptions).has_value());
}

TEST_CASE("arguments: documents get values of their own kind") {
  const Result<Arguments> arguments =
      read({{&kLockTimeout, "1s"}, {&kCapability, "b"}, {&kCapability, "a"}, {&kQuiet, ""}});
  REQUIRE(arguments.has_value());
  CHECK(arguments->document_value(kLockTimeout) == Json(1000));
  CHECK(arguments->document_value(kCapability) == Json({"b", "a"}));
  CHECK(arguments->document_value(kQuiet) == Json(true));
}

}  // namespace workctl::cli
