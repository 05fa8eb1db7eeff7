/* The least that a process can do and call it durable: lock, append 700 bytes, sync, exit. What a
 * workctl command costs is told as a ratio to this, measured in turn in the same run. */
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc != 2 || chdir(argv[1]) != 0) return 2;
  const int lock = open("lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0 || flock(lock, LOCK_EX) != 0) return 1;
  const int log = open("log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  char line[700];
  memset(line, 'x', sizeof line);
  line[sizeof line - 1] = '\n';
  if (log < 0 || write(log, line, sizeof line) != (ssize_t)sizeof line) return 1;
  if (fdatasync(log) != 0) return 1;
  return 0;
}
