// The index under an engine: a cache, whatever happens to it.

#include "store/index/index.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "store/staging.h"
#include "support/settings.h"
#include "support/temporary_directory.h"
#include "workctl/store/index_check.h"
#include "workctl/store/local_engine.h"

namespace workctl {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

class IndexedStore {
 public:
  IndexedStore() {
    REQUIRE(create_local_store(path, {.first = {.at = 1, .writes = {}}}, {}, kNoWait).value());
  }

  std::unique_ptr<Engine> open(bool use_index = true) {
    const Journal::Options options{
        .notice = [this](const std::string& notice) { notices.push_back(notice); }};
    return open_local_engine(path, options, {.use = use_index}).value();
  }
  /// The tree's file that the stamp names.
  fs::path tree() const {
    const std::string stamp = read_file(index() / "stamp");
    return index() / stamp.substr(0, stamp.find('\n'));
  }
  fs::path index() const { return fs::path(path) / "index"; }
  fs::path log() const { return fs::path(path) / "work.jsonl"; }

  TemporaryDirectory directory{};
  std::string path = directory / "store";
  std::vector<std::string> notices{};
};

Result<void> put_work(Engine& engine, const std::string& key, std::uint64_t base,
                      const Json& document) {
  auto session = engine.begin(kNoWait);
  if (!session) return std::unexpected(session.error());
  Transaction transaction{.at = 5, .writes = {}};
  transaction.writes.push_back({.collection = std::string(kWorkloads),
                                .key = key,
                                .base_version = base,
                                .document = document,
                                .audit = Json{{"kind", "test"}}});
  WORKCTL_CHECK((*session)->stage(std::move(transaction)));
  return (*session)->commit();
}

Json work_made_at(int number) {
  return {{"tenant_id", "t"}, {"application_id", "a"}, {"state", "READY"}, {"created_at", number}};
}

std::vector<std::string> listed(Engine& engine) {
  return engine.read().value()->list({}, "", 1000).value().keys;
}

using Ids = std::vector<std::string>;

TEST_CASE("index: a writer makes it, a reader of a short log does without") {
  IndexedStore store;
  const auto engine = store.open();
  CHECK(listed(*engine).empty());
  CHECK_FALSE(fs::exists(store.index()));
  REQUIRE(put_work(*engine, "w1", 0, work_made_at(1)));
  CHECK(fs::file_size(store.tree()) > 0);
  CHECK(listed(*engine) == Ids{"w1"});
  CHECK(fs::status(store.index()).permissions() == fs::perms::owner_all);
  CHECK(fs::status(store.tree()).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("index: a reader of a long log makes it when no writer is at work") {
  IndexedStore store;
  const std::string text(600'000, 'x');
  REQUIRE(put_work(*store.open(false), "w1", 0, {{"text", text}}));
  REQUIRE(put_work(*store.open(false), "w2", 0, {{"text", text}}));
  const auto writer = store.open(false);
  {
    const auto session = writer->begin(kNoWait).value();
    CHECK(listed(*store.open()) == Ids{"w1", "w2"});
    CHECK_FALSE(fs::exists(store.index()));
  }
  const auto reader = store.open();
  CHECK(listed(*reader) == Ids{"w1", "w2"});
  CHECK(fs::exists(store.tree()));
  CHECK(writer->begin(kNoWait));  // the reader let go of the lock
}

TEST_CASE("index: what others commit is in the next answer, with and without an index of theirs") {
  IndexedStore store;
  const auto one = store.open();
  const auto two = store.open();
  const auto three = store.open(false);
  REQUIRE(put_work(*one, "w1", 0, work_made_at(1)));
  REQUIRE(put_work(*two, "w2", 0, work_made_at(2)));
  REQUIRE(put_work(*three, "w3", 0, work_made_at(3)));
  CHECK(listed(*one) == Ids{"w1", "w2", "w3"});
  CHECK(listed(*two) == Ids{"w1", "w2", "w3"});
  REQUIRE(put_work(*two, "w3", 1, work_made_at(0)));
  CHECK(listed(*one) == Ids{"w3", "w1", "w2"});
  CHECK(one->begin(kNoWait).value()->revision() == 5);
}

TEST_CASE("index: it may be deleted at any moment") {
  IndexedStore store;
  const auto engine = store.open();
  REQUIRE(put_work(*engine, "w1", 0, work_made_at(1)));
  View* view = engine->read().value();
  fs::remove_all(store.index());
  CHECK(view->get(kWorkloads, "w1").value());
  CHECK(listed(*engine) == Ids{"w1"});
  REQUIRE(put_work(*engine, "w2", 0, work_made_at(2)));
  fs::remove(store.tree());
  REQUIRE(put_work(*engine, "w3", 0, work_made_at(3)));
  fs::remove(store.index() / "stamp");
  REQUIRE(put_work(*store.open(), "w4", 0, work_made_at(4)));
  {
    const auto session = engine->begin(kNoWait).value();
    REQUIRE(session->stage({.at = 6,
                            .writes = {{.collection = std::string(kWorkloads),
                                        .key = "w5",
                                        .document = work_made_at(5),
                                        .audit = Json()}}}));
    fs::remove_all(store.index());
    REQUIRE(session->commit());
  }
  CHECK(listed(*engine) == Ids{"w1", "w2", "w3", "w4", "w5"});
  CHECK(listed(*store.open()) == Ids{"w1", "w2", "w3", "w4", "w5"});
  CHECK(store.notices.empty());
}

TEST_CASE("index: what another boot, store, log or program left is not opened") {
  IndexedStore store;
  REQUIRE(put_work(*store.open(), "w1", 0, work_made_at(1)));
  const auto with_other = [](std::string stamp, const std::string& word) {
    char& letter = stamp.at(stamp.find(word + " ") + word.size() + 1);
    letter = letter == '7' ? '8' : '7';
    return stamp;
  };
  const auto doubtful_stamp = [&](const std::string& stamp, const std::string& doubt) {
    if (doubt == "longer") return stamp + " ";
    if (doubt == "shorter") return stamp.substr(0, 30);
    if (doubt == "of no file") return std::string("../x\n");
    return doubt.empty() ? doubt : with_other(stamp, doubt);
  };
  for (const std::string doubt : {"boot", "store", "generation", "log", "file", "format", "longer",
                                  "shorter", "of no file", ""}) {
    for (const bool torn : {false, true}) {
      CAPTURE(doubt);
      CAPTURE(torn);
      const fs::path tree = store.tree();
      // Whoever opened this would crash, or believe it.
      if (torn) write_file(tree, std::string(3 * 4096, 'x'));
      const std::string stamp = read_file(store.index() / "stamp");
      write_file(store.index() / "stamp", doubtful_stamp(stamp, doubt));
      CHECK(listed(*store.open()) == Ids{"w1"});
      REQUIRE(put_work(*store.open(), "w1", store.open()->read().value()->revision() - 1,
                       work_made_at(1)));
      CHECK(store.tree() != tree);
      CHECK_FALSE(fs::exists(tree));
      CHECK(listed(*store.open()) == Ids{"w1"});
    }
  }
}

TEST_CASE("index: a file that was cut off is not used") {
  IndexedStore store;
  REQUIRE(put_work(*store.open(), "w1", 0, work_made_at(1)));
  fs::resize_file(store.tree(), 2 * 4096);
  CHECK(listed(*store.open()) == Ids{"w1"});
  REQUIRE(put_work(*store.open(), "w2", 0, work_made_at(2)));
  CHECK(listed(*store.open()) == Ids{"w1", "w2"});
}

TEST_CASE("index: while a reader looks at it, it stays behind, and is brought up later") {
  IndexedStore store;
  auto engine = store.open();
  REQUIRE(put_work(*engine, "w1", 0, work_made_at(1)));
  const std::string before = read_file(store.tree());
  {
    const int reader = ::open(store.tree().c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(flock(reader, LOCK_SH) == 0);
    REQUIRE(put_work(*store.open(), "w2", 0, work_made_at(2)));
    CHECK(read_file(store.tree()) == before);
    CHECK(listed(*store.open()) == Ids{"w1", "w2"});
    CHECK(listed(*engine) == Ids{"w1", "w2"});
    close(reader);
  }
  engine = store.open();  // its view was another such reader
  REQUIRE(put_work(*store.open(), "w3", 0, work_made_at(3)));
  CHECK(read_file(store.tree()) != before);
  CHECK(listed(*engine) == Ids{"w1", "w2", "w3"});
  CHECK(store.notices.empty());
}

TEST_CASE("index: what was staged and taken back is not written to it") {
  IndexedStore store;
  const auto engine = store.open();
  REQUIRE(put_work(*engine, "w1", 0, work_made_at(1)));
  const std::string before = read_file(store.tree());
  {
    const auto session = engine->begin(kNoWait).value();
    REQUIRE(stage(*session, {.collection = std::string(kWorkloads),
                             .key = "w2",
                             .document = work_made_at(2),
                             .audit = Json()}));
  }
  CHECK(read_file(store.tree()) == before);
  CHECK(listed(*engine) == Ids{"w1"});
}

TEST_CASE("index: it does not hide that the log lost what was acknowledged") {
  IndexedStore store;
  REQUIRE(put_work(*store.open(), "w1", 0, work_made_at(1)));
  const std::string whole = read_file(store.log());
  REQUIRE(put_work(*store.open(), "w2", 0, work_made_at(2)));
  fs::resize_file(store.log(), whole.size());
  CHECK(store.open()->read().error().code == errc::kStoreDamaged);
  CHECK(store.open()->begin(kNoWait).error().code == errc::kStoreDamaged);
}

TEST_CASE("index: it does not hide that the end of the log was changed in place") {
  IndexedStore store;
  REQUIRE(put_work(*store.open(), "w1", 0, work_made_at(1)));
  std::string text = read_file(store.log());
  text.at(text.size() - 10) = text.at(text.size() - 10) == 'a' ? 'b' : 'a';
  write_file(store.log(), text);
  CHECK(store.open()->begin(kNoWait).error().code == errc::kStoreDamaged);
}

TEST_CASE("index: where it cannot be, a writer says so and goes on without") {
  IndexedStore store;
  write_file(store.path + "/index", "not a directory");
  REQUIRE(put_work(*store.open(), "w1", 0, work_made_at(1)));
  REQUIRE(store.notices.size() == 1);
  CHECK(store.notices.front().find("answers stay right and take longer") != std::string::npos);
  CHECK(listed(*store.open()) == Ids{"w1"});
  CHECK(store.notices.size() == 1);
}

TEST_CASE("index: a log with a key that it cannot hold is replayed") {
  IndexedStore store;
  REQUIRE(put_work(*store.open(false), std::string(400, 'k'), 0, work_made_at(1)));
  REQUIRE(put_work(*store.open(), "w2", 0, work_made_at(2)));
  CHECK(listed(*store.open()).size() == 2);
  CHECK_FALSE(fs::exists(store.index() / "stamp"));
}

std::string problem_of(const IndexedStore& store) {
  const auto check = IndexCheck::begin(store.path, {});
  REQUIRE(check != nullptr);
  const auto journal =
      Journal::open(posix_file_system().open_directory(store.path).value(), {}).value();
  REQUIRE(journal->catch_up(check->sink()));
  const auto report = check->compare(journal->position()).value();
  CHECK((report.entries > 5 || report.problem));
  return report.problem.value_or("none");
}

TEST_CASE("index: that it is not what the log says is found, whatever the difference") {
  IndexedStore store;
  const auto engine = store.open();
  REQUIRE(put_work(*engine, "w1", 0, work_made_at(1)));
  Json early = work_made_at(2);
  early["next_attempt_at"] = 50;
  REQUIRE(put_work(*engine, "w2", 0, early));
  CHECK(engine->begin(kNoWait).value()->ready({"t", "a", {}, 60}, 9).value() == Ids{"w1", "w2"});
  CHECK(problem_of(store) == "none");

  const auto environment = lmdb::Environment::open(store.tree(), 1ULL << 30).value();
  std::vector<std::pair<std::string, std::string>> entries;
  {
    const auto tree = lmdb::Transaction::begin(*environment, lmdb::Access::kRead).value();
    REQUIRE(tree->walk("", [&](std::string_view key, std::string_view value) {
      entries.emplace_back(key, value);
      return true;
    }));
  }
  const auto change = [&](const std::string& key, const std::string* value) {
    const auto tree = lmdb::Transaction::begin(*environment, lmdb::Access::kWrite).value();
    if (value != nullptr)
      REQUIRE(tree->put(key, *value));
    else
      REQUIRE(tree->erase(key));
    REQUIRE(tree->commit());
  };
  const std::string stamp = read_file(store.index() / "stamp");
  const auto wrong = [&] {
    // What cannot even be read is trusted by nobody any more.
    write_file(store.index() / "stamp", stamp);
    return problem_of(store) != "none";
  };
  for (const auto& [key, value] : entries) {
    CAPTURE(key);
    if (key == "p") continue;  // where it ends: an index of another place is not of this log
    // A queue's own entry goes with the last in it, and comes with the first.
    if (key.front() == 'q' || key.front() == 'Q') continue;
    change(key, nullptr);
    CHECK(wrong());
    const std::string other = value + "x";
    change(key, &other);
    CHECK(wrong());
    change(key, &value);
    CHECK_FALSE(wrong());
    change(key + "x", &value);
    CHECK(wrong());
    change(key + "x", nullptr);
  }
  CHECK_FALSE(wrong());
}

TEST_CASE("index: with it and without, the answers are the same after anything") {
  const std::uint64_t seed = setting("WORKCTL_SEED", 3);
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t end) { return random() % end; };
  IndexedStore store;
  auto engine = store.open();
  for (int step = 0; step < 150; ++step) {
    const std::string key = "w" + std::to_string(below(10));
    const auto stored = engine->read().value()->get(kWorkloads, key).value();
    REQUIRE(put_work(*engine, key, stored ? stored->version : 0,
                     work_made_at(static_cast<int>(below(5)))));
    switch (below(8)) {
      case 0:
        fs::remove_all(store.index());
        break;
      case 1:
        fs::remove(store.index() / "stamp");
        break;
      case 2:
        engine = store.open(below(2) == 0);
        break;
      case 3: {  // dropped without a commit
        const auto session = engine->begin(kNoWait).value();
        REQUIRE(session->stage({.at = 6,
                                .writes = {{.collection = std::string(kWorkloads),
                                            .key = "dropped",
                                            .document = work_made_at(1),
                                            .audit = Json()}}}));
        break;
      }
      default:
        break;
    }
    REQUIRE(listed(*engine) == listed(*store.open(false)));
  }
}

}  // namespace
}  // namespace workctl
