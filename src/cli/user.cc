#include "cli/user.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>

#include "workctl/base/text.h"

namespace workctl::cli {

std::string login_name() {
  const uid_t user = ::geteuid();
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/etc/passwd", "re"),
                                                             &std::fclose);
  while (const passwd* entry = file != nullptr ? ::fgetpwent(file.get()) : nullptr) {
    if (entry->pw_uid == user && *entry->pw_name != '\0' && is_valid_utf8(entry->pw_name))
      return entry->pw_name;
  }
  return "uid-" + std::to_string(user);
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0' ||
      !is_valid_utf8(name.data()))
    return "localhost";
  return name.data();
}

std::string default_worker() { return login_name() + "@" + host_name(); }

}  // namespace workctl::cli
