#include "support/conformance.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace workctl {

std::string conformance_path(const std::string& name) {
  return std::filesystem::path(WORKCTL_CONFORMANCE_FOLDER) / name;
}

std::vector<Json> read_conformance_file(const std::string& name) {
  std::ifstream file(conformance_path(name), std::ios::binary);
  REQUIRE_MESSAGE(file, "cannot open ", name);
  std::vector<Json> values;
  for (std::string line; std::getline(file, line);) {
    auto value = parse_json(line, name);
    REQUIRE_MESSAGE(value, name, " line ", values.size() + 1, ": ", value.error().message);
    values.push_back(*std::move(value));
  }
  REQUIRE_FALSE(values.empty());
  return values;
}

std::vector<std::string> conformance_trace_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(WORKCTL_CONFORMANCE_FOLDER)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("trace-") && name.ends_with(".jsonl")) names.push_back(name);
  }
  REQUIRE_FALSE(names.empty());
  std::ranges::sort(names);
  return names;
}

}  // namespace workctl
