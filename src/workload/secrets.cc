#include "workctl/workload/secrets.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "workctl/base/text.h"
#include "workctl/workload/workload.h"

namespace workctl {
namespace {

constexpr std::array<std::string_view, 5> kSecretNames{"password", "secret", "token", "api_key",
                                                       "private_key"};

bool is_secret_name(const std::string& name) {
  // Most names are ruled out by their length, without a copy.
  return std::ranges::any_of(kSecretNames, [&](std::string_view secret) {
    return name.size() == secret.size() && ascii_lower(name) == secret;
  });
}

bool is_secret_text(std::string_view text) {
  return text.starts_with("sk-") || text.starts_with("fdb_live_") ||
         text.find("BEGIN PRIVATE KEY") != std::string_view::npos;
}

/// The path of the first secret in `value`, as `.login.password` or `[3]`; built only once one is
/// found.
std::optional<std::string> find_secret(const Json& value) {
  if (value.is_string()) {
    if (is_secret_text(value.get_ref<const std::string&>())) return std::string();
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      if (auto path = find_secret(value[i])) return fmt::format("[{}]{}", i, *path);
  } else if (value.is_object()) {
    for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) {
      if (is_secret_name(name)) return "." + name;
      if (auto path = find_secret(member)) return fmt::format(".{}{}", name, *path);
    }
  }
  return std::nullopt;
}

std::unexpected<Error> rejected(std::string_view what, std::string_view path) {
  return failure(errc::kSecretRejected,
                 fmt::format("{}{} looks like a secret", what, printable(path)),
                 "pass a reference to the secret, and let the worker fetch it");
}

}  // namespace

Result<void> reject_secrets(const Json& value, std::string_view what) {
  if (const auto path = find_secret(value)) return rejected(what, *path);
  return {};
}

Result<void> reject_secret_text(std::string_view text, std::string_view what) {
  if (is_secret_text(text)) return rejected(what, "");
  return {};
}

}  // namespace workctl
