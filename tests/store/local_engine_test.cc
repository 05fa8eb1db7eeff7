#include "workctl/store/local_engine.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "store/staging.h"
#include "support/temporary_directory.h"

namespace workctl {
namespace {

/// A store in a directory of its own, with one engine open on it.
class Store {
 public:
  Store() {
    NewStore store;
    store.created_at = 1;
    store.private_texts["secret"] = "private";
    store.first.at = 1;
    store.first.writes.push_back(
        {.collection = "settings", .key = "s", .document = Json{{"x", 1}}});
    REQUIRE(create_local_store(path(), store, {}, kNoWait).value());
    engine = open();
  }
  std::string path() const { return directory / "store"; }
  std::unique_ptr<Engine> open() const {
    return open_local_engine(path(), {}, {.use = true}).value();
  }
  std::string log() const {
    std::ifstream file(path() + "/work.jsonl");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryDirectory directory;
  std::unique_ptr<Engine> engine;
};

DocumentWrite write(const std::string& key, std::uint64_t base_version,
                    std::optional<Json> document) {
  return {.collection = "notes",
          .key = key,
          .base_version = base_version,
          .document = std::move(document),
          .audit = Json{{"kind", "note"}}};
}

Transaction transaction(std::vector<DocumentWrite> writes) {
  return {.at = 50, .writes = std::move(writes)};
}

Result<void> commit(Engine& engine, std::vector<DocumentWrite> writes) {
  auto session = engine.begin(kNoWait);
  if (!session) return std::unexpected(session.error());
  WORKCTL_CHECK((*session)->stage(transaction(std::move(writes))));
  return (*session)->commit();
}

std::optional<StoredDocument> get(Engine& engine, const std::string& key) {
  return engine.read().value()->get("notes", key).value();
}

TEST_CASE("store: a new store holds its first commit and its private texts") {
  Store store;
  View& view = *store.engine->read().value();
  CHECK(view.revision() == 1);
  CHECK(view.get("settings", "s").value()->document.at("x") == 1);
  CHECK(store.engine->private_text("secret").value() == "private");
  CHECK_FALSE(store.engine->private_text("other").value());
  CHECK(store.engine->store_id().starts_with("store_"));
  namespace fs = std::filesystem;
  CHECK(fs::status(store.path()).permissions() == fs::perms(0700));
  CHECK(fs::status(store.path() + "/work.jsonl").permissions() == fs::perms(0600));
  CHECK(fs::status(store.path() + "/keys/secret").permissions() == fs::perms(0600));
}

TEST_CASE("store: making a store where there is one changes nothing") {
  Store store;
  const std::string before = store.log();
  NewStore another;
  another.private_texts["secret"] = "another";
  CHECK_FALSE(create_local_store(store.path(), another, {}, kNoWait).value());
  CHECK(store.log() == before);
  CHECK(store.engine->private_text("secret").value() == "private");
}

TEST_CASE("store: a private text that is not private, or not a file of ours, is refused") {
  namespace fs = std::filesystem;
  Store store;
  const fs::path keys = store.path() + "/keys";
  const fs::path secret = keys / "secret";
  const auto refused = [&] {
    const auto text = store.engine->private_text("secret");
    return !text && text.error().code == errc::kStoreUnsafe;
  };
  for (const unsigned mode : {0640U, 0604U, 0620U, 0602U}) {
    CAPTURE(mode);
    fs::permissions(secret, fs::perms(mode));
    CHECK(refused());
  }
  fs::permissions(secret, fs::perms(0600));
  CHECK(store.engine->private_text("secret").value() == "private");
  fs::permissions(keys, fs::perms(0770));
  CHECK(refused());
  fs::permissions(keys, fs::perms(0700));
  fs::create_hard_link(secret, store.path() + "/second");
  CHECK(refused());
  fs::rename(secret, store.path() + "/elsewhere");
  fs::create_symlink(store.path() + "/elsewhere", secret);
  CHECK(refused());
  fs::rename(keys, store.path() + "/other");
  fs::create_directory_symlink(store.path() + "/other", keys);
  CHECK(refused());
  fs::remove(keys);
  std::ofstream(keys) << "x";
  CHECK(refused());
  fs::remove(keys);
  CHECK_FALSE(store.engine->private_text("secret").value());
}

TEST_CASE("store: no store, and a file where one should be, are told apart") {
  TemporaryDirectory directory;
  CHECK(open_local_engine(directory / "none", {}).error().code == errc::kStoreNotFound);
  CHECK(open_local_engine(directory.path(), {}).error().code == errc::kStoreNotFound);
  std::ofstream(directory / "file") << "x";
  CHECK(open_local_engine(directory / "file", {}).error().code == errc::kInvalidInput);
  CHECK(create_local_store(directory / "file", {}, {}, kNoWait).error().code ==
        errc::kInvalidInput);
}

TEST_CASE("store: what is committed is there for this engine and for the next") {
  Store store;
  REQUIRE(commit(*store.engine, {write("a", 0, Json{{"n", 1}}), write("b", 0, Json{{"n", 2}})}));
  const auto next = store.open();
  for (Engine* engine : {store.engine.get(), next.get()}) {
    CHECK(get(*engine, "a")->version == 1);
    CHECK(get(*engine, "b")->document.at("n") == 2);
  }
}

TEST_CASE("store: an open engine sees what another one commits") {
  Store store;
  const auto other = store.open();
  REQUIRE(commit(*other, {write("a", 0, Json(1))}));
  CHECK(get(*store.engine, "a"));
  REQUIRE(commit(*store.engine, {write("a", 1, Json(2))}));
  CHECK(get(*other, "a")->version == 2);
}

TEST_CASE("store: a write based on another version is a conflict and stages nothing") {
  Store store;
  REQUIRE(commit(*store.engine, {write("a", 0, Json(1))}));
  const std::string before = store.log();
  for (const std::uint64_t base : {std::uint64_t{0}, std::uint64_t{2}}) {
    const auto refused = commit(*store.engine, {write("b", 0, Json(7)), write("a", base, Json(2))});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::kConflict);
  }
  CHECK(commit(*store.engine, {write("c", 4, Json(1))}).error().code == errc::kConflict);
  CHECK_FALSE(get(*store.engine, "b"));
  CHECK(get(*store.engine, "a")->version == 1);
  CHECK(store.log() == before);
}

TEST_CASE("store: of a transaction that is refused the session keeps nothing, and goes on") {
  Store store;
  REQUIRE(commit(*store.engine, {write("a", 0, Json(1))}));
  {
    const auto session = store.engine->begin(kNoWait).value();
    REQUIRE_FALSE(session->stage(transaction({write("b", 0, Json(7)), write("a", 9, Json(2))})));
    CHECK_FALSE(session->get("notes", "b").value());
    REQUIRE(session->stage(transaction({write("c", 0, Json(3))})));
    REQUIRE(session->commit());
  }
  CHECK_FALSE(get(*store.engine, "b"));
  CHECK(get(*store.engine, "c")->version == 1);
}

TEST_CASE("store: transactions staged together share one line and see each other") {
  Store store;
  const auto lines = [&] {
    const std::string log = store.log();
    return std::count(log.begin(), log.end(), '\n');
  };
  const auto before = lines();
  {
    auto session = store.engine->begin(kNoWait).value();
    REQUIRE(session->stage(transaction({write("a", 0, Json(1))})));
    REQUIRE(session->stage(transaction({write("a", 1, Json(2))})));
    CHECK(session->get("notes", "a").value()->version == 2);
    CHECK(session->staged() == 2);
    CHECK(lines() == before);
    REQUIRE(session->commit());
  }
  CHECK(lines() == before + 1);
  CHECK(store.engine->read().value()->revision() == 3);
}

TEST_CASE("store: a session that ends without a commit leaves nothing behind") {
  Store store;
  const std::string before = store.log();
  {
    auto session = store.engine->begin(kNoWait).value();
    REQUIRE(session->stage(transaction({write("a", 0, Json(1))})));
    REQUIRE(session->stage(transaction({write("a", 1, std::nullopt)})));
  }
  CHECK(store.log() == before);
  CHECK_FALSE(get(*store.engine, "a"));
  CHECK(store.engine->read().value()->revision() == 1);
  REQUIRE(commit(*store.engine, {write("a", 0, Json(5))}));
  CHECK(get(*store.open(), "a")->version == 1);
}

TEST_CASE("store: a removed document can be made again and its versions go on") {
  Store store;
  REQUIRE(commit(*store.engine, {write("a", 0, Json(1))}));
  REQUIRE(commit(*store.engine, {write("a", 1, std::nullopt)}));
  CHECK_FALSE(get(*store.engine, "a"));
  REQUIRE(commit(*store.engine, {write("a", 0, Json(2))}));
  CHECK(get(*store.open(), "a")->version == 3);
}

TEST_CASE("store: the second of two writers waits no longer than it was told") {
  Store store;
  const auto other = store.open();
  const auto session = store.engine->begin(kNoWait).value();
  const auto refused = other->begin(kNoWait);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == errc::kStoreBusy);
  CHECK(refused.error().message.find("held by process") != std::string::npos);
  CHECK(other->read());
}

TEST_CASE("store: a small change of a large document takes few bytes in the log") {
  Store store;
  Json document{{"input", std::string(100000, 'x')}, {"beat", 1}};
  REQUIRE(commit(*store.engine, {write("a", 0, document)}));
  const std::size_t before = store.log().size();
  document["beat"] = 2;
  REQUIRE(commit(*store.engine, {write("a", 1, document)}));
  CHECK(store.log().size() - before < 1000);
  CHECK(same_value(get(*store.open(), "a")->document, document));
}

TEST_CASE("store: a document over the limit is refused by name before anything is written") {
  Store store;
  const std::string before = store.log();
  const auto refused =
      commit(*store.engine, {write("big", 0, Json(std::string(kDocumentBytesMax, 'x')))});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == errc::kTooLarge);
  CHECK(refused.error().message.find("big") != std::string::npos);
  CHECK(store.log() == before);
}

TEST_CASE("store: a value nested as deep as is allowed can be stored, changed and read back") {
  Store store;
  const std::string deep = std::string(127, '[') + std::string(127, ']');
  Json document{{"checkpoints", Json::array({Json{{"state", *parse_json(deep, "deep")}}})}};
  REQUIRE(commit(*store.engine, {write("a", 0, document)}));
  document["checkpoints"].push_back(document["checkpoints"][0]);
  document["pad"] = std::string(4000, 'x');
  REQUIRE(commit(*store.engine, {write("a", 1, document)}));
  document["result"] = Json{{"output", *parse_json(deep, "deep")}};
  REQUIRE(commit(*store.engine, {write("a", 2, document)}));
  CHECK(same_value(get(*store.open(), "a")->document, document));
}

TEST_CASE("store: each change can be explained from the log") {
  Store store;
  REQUIRE(commit(*store.engine, {write("a", 0, Json{{"n", 1}})}));
  const std::string log = store.log();
  const std::string last = log.substr(log.rfind('\n', log.size() - 2) + 1);
  const Json audit = parse_json(last, "line")->at("commits").at(0).at("audit").at(0);
  CHECK(audit.at("kind") == "note");
  CHECK(audit.at("base_revision") == 1);
  CHECK(audit.at("revision") == 2);
  CHECK(audit.at("source_digest") == hash_value(Json{{"n", 1}}));
  CHECK(audit.at("transaction").get<std::string>().starts_with("tx_"));
}

TEST_CASE("store: a scope and a result id belong to one workload") {
  Store store;
  const auto work = [](const std::string& id, const std::string& key, const char* result) {
    Json document{{"tenant_id", "t"},
                  {"application_id", "a"},
                  {"idempotency_key", key},
                  {"requested_by", {{"kind", "human"}, {"id", "me"}}},
                  {"result", nullptr}};
    if (result != nullptr) document["result"] = {{"result_id", result}};
    return DocumentWrite{.collection = std::string(kWorkloads), .key = id, .document = document};
  };
  REQUIRE(commit(*store.engine, {work("w1", "k1", "r1")}));
  CHECK(commit(*store.engine, {work("w2", "k1", nullptr)}).error().code == errc::kConflict);
  CHECK(commit(*store.engine, {work("w2", "k2", "r1")}).error().code == errc::kResultDuplicate);
  CHECK(commit(*store.engine, {work("w2", "k2", "r2"), work("w3", "k2", nullptr)}).error().code ==
        errc::kConflict);
  CHECK(commit(*store.engine, {work("w2", "k2", "r2")}));
}

}  // namespace
}  // namespace workctl
