#pragma once

/// Who runs this process, and where.

#include <string>

namespace workctl::cli {

/// The effective user's name in /etc/passwd, else `uid-N`. The file is read directly: a statically
/// linked program cannot load the system's other sources of names.
std::string login_name();

/// The machine's name, else `localhost`.
std::string host_name();

/// `LOGIN@HOST`.
std::string default_worker();

}  // namespace workctl::cli
