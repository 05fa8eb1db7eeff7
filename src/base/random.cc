#include "workctl/base/random.h"

#include <sys/random.h>

#include <cerrno>
#include <cstdlib>
#include <vector>

#include "base/hex.h"

namespace workctl {

std::string random_hex(std::size_t byte_count) {
  std::vector<unsigned char> bytes(byte_count);
  std::size_t filled = 0;
  while (filled < byte_count) {
    const ssize_t count = getrandom(bytes.data() + filled, byte_count - filled, 0);
    if (count > 0) {
      filled += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      std::abort();  // a kernel without a random source: no identifier made here could be trusted
    }
  }
  std::string hex;
  hex.reserve(2 * byte_count);
  for (const unsigned char byte : bytes) append_hex(byte, hex);
  return hex;
}

}  // namespace workctl
