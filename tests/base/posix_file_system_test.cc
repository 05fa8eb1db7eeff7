/// The operating system's own file system, on a temporary directory.

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "support/temporary_directory.h"
#include "workctl/base/file_system.h"

namespace workctl {
namespace {

using std::chrono::milliseconds;
using Kind = FileStatus::Kind;

/// A directory, open.
struct Fixture {
  TemporaryDirectory temporary{};
  std::unique_ptr<Directory> directory =
      posix_file_system().open_directory(temporary.path()).value();

  std::unique_ptr<File> open(const std::string& name, OpenMode mode = OpenMode::kCreate) {
    auto file = directory->open(name, mode);
    REQUIRE(file);
    return *std::move(file);
  }
  int open_error(const std::string& name, OpenMode mode) {
    const auto file = directory->open(name, mode);
    return file ? 0 : file.error().number;
  }
};

/// Another file mode creation mask, for as long as it lives.
class Umask {
 public:
  explicit Umask(mode_t mask) : old_(umask(mask)) {}
  ~Umask() { umask(old_); }
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;

 private:
  mode_t old_;
};

}  // namespace

TEST_CASE("posix: files are written, read, cut and described") {
  Fixture in;
  const auto file = in.open("f");
  CHECK(file->write_at(0, "hello") == 5U);
  CHECK(file->write_at(7, "!") == 1U);
  CHECK(read_all(*file, 100) == std::string("hello\0\0!", 8));
  std::string buffer(4, ' ');
  CHECK(file->read_at(6, buffer) == 2U);
  CHECK(file->read_at(8, buffer) == 0U);
  REQUIRE(file->truncate(5));
  REQUIRE(file->sync());
  const FileStatus status = file->status().value();
  CHECK(status.kind == Kind::kRegular);
  CHECK(status.size == 5);
  CHECK(status.links == 1);
  CHECK(status.owner == posix_file_system().user_id());
  CHECK(status.inode == in.directory->status("f").value().inode);
  CHECK(in.open("f", OpenMode::kRead)->write_at(0, "x").error().number == EBADF);
}

TEST_CASE("posix: opening says whether a file must be there or must not") {
  Fixture in;
  CHECK(in.open_error("f", OpenMode::kRead) == ENOENT);
  CHECK(in.open_error("f", OpenMode::kReadWrite) == ENOENT);
  in.open("f", OpenMode::kCreateNew)->write_at(0, "kept").value();
  CHECK(in.open_error("f", OpenMode::kCreateNew) == EEXIST);
  CHECK(read_all(*in.open("f", OpenMode::kCreate), 100) == "kept");
  CHECK(in.directory->open("f/g", OpenMode::kRead).error().call == std::string("openat"));
}

TEST_CASE("posix: what is made is for its owner alone, and for him whatever the umask") {
  Fixture in;
  for (const mode_t mask : {0000U, 0022U, 0777U}) {
    CAPTURE(mask);
    const std::string name = std::to_string(mask);
    const Umask umask(mask);
    CHECK(in.open("f" + name)->status().value().mode == 0600);
    CHECK(in.open("n" + name, OpenMode::kCreateNew)->status().value().mode == 0600);
    REQUIRE(in.directory->create_directory("d" + name));
    CHECK(in.directory->status("d" + name).value().mode == 0700);
    REQUIRE(posix_file_system().create_directories(in.temporary / ("a" + name + "/b/c")));
    for (const char* path : {"", "/b", "/b/c"}) {
      CHECK(posix_file_system()
                .open_directory(in.temporary / ("a" + name + path))
                .value()
                ->status()
                .value()
                .mode == 0700);
    }
  }
}

TEST_CASE("posix: what root makes in somebody's directory is that somebody's") {
  if (::geteuid() != 0) {
    MESSAGE("not tried: it takes root to make files for others");
    return;
  }
  Fixture in;
  constexpr uid_t kSomebody = 65534;
  REQUIRE(::chown(in.temporary.path().c_str(), kSomebody, kSomebody) == 0);
  CHECK(in.open("made")->status().value().owner == kSomebody);
  CHECK(in.open("new", OpenMode::kCreateNew)->status().value().owner == kSomebody);
  REQUIRE(in.directory->create_directory("below"));
  CHECK(in.directory->status("below").value().owner == kSomebody);
  CHECK(in.directory->status("below").value().mode == 0700);
}

TEST_CASE("posix: existing files keep their mode") {
  Fixture in;
  in.open("f");
  REQUIRE(chmod((in.temporary / "f").c_str(), 0640) == 0);
  CHECK(in.open("f", OpenMode::kCreate)->status().value().mode == 0640);
}

TEST_CASE("posix: names that are links are not followed, a path that leads through one is") {
  Fixture in;
  in.open("target");
  REQUIRE(in.directory->create_directory("folder"));
  std::filesystem::create_symlink("target", in.temporary.path() / "link");
  std::filesystem::create_symlink("nowhere", in.temporary.path() / "dangling");
  std::filesystem::create_directory_symlink("folder", in.temporary.path() / "shortcut");
  for (const char* name : {"link", "dangling"}) {
    CAPTURE(name);
    CHECK(in.open_error(name, OpenMode::kRead) == ELOOP);
    CHECK(in.open_error(name, OpenMode::kReadWrite) == ELOOP);
    CHECK(in.open_error(name, OpenMode::kCreate) == ELOOP);
    CHECK(in.open_error(name, OpenMode::kCreateNew) == EEXIST);
    CHECK(in.directory->status(name).value().kind == Kind::kSymbolicLink);
  }
  CHECK_FALSE(std::filesystem::exists(in.temporary.path() / "nowhere"));
  CHECK_FALSE(in.directory->open_directory("shortcut"));
  CHECK(in.directory->open_directory("folder"));
  CHECK(posix_file_system().open_directory(in.temporary / "shortcut"));
}

TEST_CASE("posix: a FIFO in a file's place holds nobody up") {
  Fixture in;
  REQUIRE(mkfifo((in.temporary / "fifo").c_str(), 0600) == 0);
  for (const OpenMode mode : {OpenMode::kRead, OpenMode::kReadWrite, OpenMode::kCreate}) {
    const auto fifo = in.open("fifo", mode);
    CHECK(fifo->status().value().kind == Kind::kOther);
    std::string buffer(1, ' ');
    CHECK(fifo->read_at(0, buffer).error().number == ESPIPE);
  }
}

TEST_CASE("posix: no descriptor is inherited by other programs") {
  Fixture in;
  const auto file = in.open("f");
  const auto other = in.open("f", OpenMode::kRead);
  REQUIRE(in.directory->create_directory("d"));
  const auto directory = in.directory->open_directory("d");
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(entry.path(), gone);
    if (!target.starts_with(in.temporary.path().string())) continue;
    ++found;
    CHECK((fcntl(std::stoi(entry.path().filename()), F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK(found == 4);
}

TEST_CASE("posix: entries are listed, moved and removed") {
  Fixture in;
  in.open("b");
  in.open("a")->write_at(0, "a").value();
  in.open(".hidden");
  REQUIRE(in.directory->create_directory("c"));
  const std::vector<std::string> all{".hidden", "a", "b", "c"};
  CHECK(in.directory->list().value() == all);
  CHECK(in.directory->list().value() == all);  // from its beginning again
  REQUIRE(in.directory->rename("a", "b"));
  CHECK(read_all(*in.open("b"), 10) == "a");
  REQUIRE(in.directory->remove("b"));
  REQUIRE(in.directory->sync());
  CHECK(in.directory->list().value() == std::vector<std::string>{".hidden", "c"});
  CHECK(in.directory->remove("b").error().number == ENOENT);
  CHECK(in.directory->rename("x", "y").error().number == ENOENT);
  CHECK(in.directory->status("x").error().number == ENOENT);
  CHECK(in.directory->create_directory("c").error().number == EEXIST);
}

TEST_CASE("posix: missing parents are made, and what is in the way is not replaced") {
  Fixture in;
  FileSystem& files = posix_file_system();
  REQUIRE(files.create_directories(in.temporary / "x/y/z"));
  REQUIRE(files.create_directories(in.temporary / "x/y/z"));
  REQUIRE(files.create_directories(in.temporary / "x//w/"));
  CHECK(files.open_directory(in.temporary / "x").value()->list().value() ==
        std::vector<std::string>{"w", "y"});
  in.open("file");
  CHECK(files.create_directories(in.temporary / "file").error().number == ENOTDIR);
  CHECK(files.create_directories(in.temporary / "file/below").error().number == ENOTDIR);
  CHECK(files.open_directory(in.temporary / "none").error().number == ENOENT);
  CHECK(files.open_directory(in.temporary / "file").error().number == ENOTDIR);
  CHECK(files.create_directories("").error().number == ENOENT);

  const auto directory = files.open_directory(in.temporary / "x").value();
  CHECK(directory->path() == in.temporary / "x");
  CHECK(directory->open_directory("y").value()->path() == in.temporary / "x/y");
}

TEST_CASE("posix: a relative path is made where the process is") {
  Fixture in;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(in.temporary.path());
  const auto made = posix_file_system().create_directories("here/there");
  std::filesystem::current_path(before);
  REQUIRE(made);
  CHECK(std::filesystem::is_directory(in.temporary.path() / "here/there"));
}

TEST_CASE("posix: the lock of one descriptor excludes another's") {
  Fixture in;
  auto first = in.open("lock");
  const auto second = in.open("lock");
  CHECK(first->lock(LockKind::kShared, milliseconds(0)) == true);
  CHECK(second->lock(LockKind::kShared, milliseconds(0)) == true);
  CHECK(second->lock(LockKind::kExclusive, milliseconds(0)) == false);
  REQUIRE(second->unlock());
  CHECK(first->lock(LockKind::kExclusive, milliseconds(0)) == true);
  CHECK(second->lock(LockKind::kShared, milliseconds(0)) == false);
  first.reset();
  CHECK(second->lock(LockKind::kExclusive, milliseconds(0)) == true);
}

TEST_CASE("posix: a wait for a lock ends with its time") {
  Fixture in;
  const auto first = in.open("lock");
  const auto second = in.open("lock");
  REQUIRE(first->lock(LockKind::kExclusive, milliseconds(0)) == true);
  CHECK(second->lock(LockKind::kExclusive, milliseconds(30)) == false);
  CHECK(second->lock(LockKind::kShared, milliseconds(1)) == false);
}

TEST_CASE("posix: a waiter gets the lock when its holder lets go") {
  Fixture in;
  const auto first = in.open("lock");
  const auto second = in.open("lock");
  REQUIRE(first->lock(LockKind::kExclusive, milliseconds(0)) == true);
  std::thread holder([&] { CHECK(first->unlock()); });
  CHECK(second->lock(LockKind::kExclusive, std::chrono::hours(1)) == true);
  holder.join();
}

TEST_CASE("posix: a wait gives the alarm back as it found it") {
  Fixture in;
  const auto first = in.open("lock");
  const auto second = in.open("lock");
  REQUIRE(first->lock(LockKind::kExclusive, milliseconds(0)) == true);

  struct sigaction ours {};
  ours.sa_handler = SIG_IGN;
  struct sigaction original {};
  sigaction(SIGALRM, &ours, &original);
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  sigset_t original_mask;
  sigprocmask(SIG_BLOCK, &alarm_only, &original_mask);
  const itimerval hour{.it_interval = {7, 0}, .it_value = {3600, 0}};
  setitimer(ITIMER_REAL, &hour, nullptr);

  CHECK(second->lock(LockKind::kExclusive, milliseconds(5)) == false);

  const itimerval off{};
  itimerval timer{};
  setitimer(ITIMER_REAL, &off, &timer);
  sigset_t mask;
  sigprocmask(SIG_SETMASK, &original_mask, &mask);
  struct sigaction handler {};
  sigaction(SIGALRM, &original, &handler);
  CHECK(timer.it_interval.tv_sec == 7);
  CHECK(timer.it_value.tv_sec > 3000);
  CHECK(timer.it_value.tv_sec <= 3600);
  CHECK(sigismember(&mask, SIGALRM) == 1);
  const bool ignored = handler.sa_handler == SIG_IGN;
  CHECK(ignored);
}

TEST_CASE("posix: the boot has an id that does not change meanwhile") {
  const auto first = posix_file_system().boot_id();
  REQUIRE(first);
  CHECK(first->size() == 36);
  CHECK(first->find('\n') == std::string::npos);
  CHECK(posix_file_system().boot_id().value() == *first);
}

}  // namespace workctl
