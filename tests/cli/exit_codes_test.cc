#include "cli/exit_codes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace workctl::cli {

namespace {

/// Every name that a header of the source tree declares as an ErrorCode.
std::set<std::string> declared_codes() {
  std::set<std::string> names;
  const std::regex declaration(R"re(ErrorCode k\w+\{\s*"([A-Z_]+)"\})re");
  for (const char* folder : {"include", "src"}) {
    const std::filesystem::path root = std::filesystem::path(WORKCTL_SOURCE_FOLDER) / folder;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".h") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const std::string content = text.str();
      for (std::sregex_iterator match(content.begin(), content.end(), declaration), end;
           match != end; ++match)
        names.insert((*match)[1]);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("exit codes: every error code of the headers has a row, and only they have") {
  std::set<std::string> rows;
  for (const ErrorRow& row : error_rows()) {
    CHECK_MESSAGE(rows.insert(std::string(row.code.name)).second, row.code.name);
    CHECK(exit_status(row.code) == row.status);
  }
  const std::set<std::string> declared = declared_codes();
  CHECK(declared.size() > 20);
  for (const std::string& name : declared) CHECK_MESSAGE(rows.contains(name), name);
  for (const std::string& name : rows) CHECK_MESSAGE(declared.contains(name), name);
}

TEST_CASE("exit codes: each status that an error leads to has a meaning") {
  for (const ErrorRow& row : error_rows())
    CHECK_MESSAGE(std::ranges::count(exit_codes(), row.status, &ExitCode::status) == 1,
                  row.code.name);
  CHECK(std::ranges::is_sorted(exit_codes(), {}, &ExitCode::status));
}

TEST_CASE("exit codes: an unknown error is a defect") {
  CHECK(exit_status(ErrorCode{"NEVER_HEARD_OF"}) == kExitBug);
}

}  // namespace workctl::cli
