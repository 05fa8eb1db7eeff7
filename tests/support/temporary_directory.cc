#include "support/temporary_directory.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <system_error>

namespace workctl {

TemporaryDirectory::TemporaryDirectory() {
  std::string name = std::filesystem::temp_directory_path() / "workctl-test-XXXXXX";
  REQUIRE(mkdtemp(name.data()) != nullptr);
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace workctl
