#pragma once

/// A store of the real program that is looked at as a whole, and put back to where it was.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "processes/history_checker.h"
#include "processes/program.h"
#include "support/temporary_directory.h"

namespace workctl {

/// The files of a store with their bytes; directories end in a slash and have none.
using Image = std::map<std::string, std::string>;

/// Ids and signatures that are made anew in each run.
inline std::string masked(const std::string& text) {
  static const std::regex kRandom(
      R"re((grant|key|store)_[0-9a-f]{8,}|"(signature|public_key)":"[^"]*")re");
  return std::regex_replace(text, kRandom, "$1$2");
}

inline std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// A store that is put back to where it was before each kill.
class Stage {
 public:
  Stage() : program_(directory_ / "store") {}

  const Program& program() const { return program_; }
  std::string path(const std::string& name) const { return directory_ / name; }

  Json run(const Words& words) const {
    Words all = words;
    for (const char* word : {"-o", "json"}) all.emplace_back(word);
    const Ended ended = program_.run(all);
    REQUIRE_MESSAGE(ended.status == 0, ended.error);
    return Json::parse(ended.output).at("ok");
  }

  Image image() const {
    Image image;
    if (!std::filesystem::exists(program_.store())) return image;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(program_.store())) {
      const std::string name = std::filesystem::relative(entry.path(), program_.store());
      if (entry.is_directory())
        image[name + "/"];
      else
        image[name] = content(entry.path());
    }
    return image;
  }

  /// Writes into the files that are there, so that the log stays the one that the mark is of.
  void put_back(const Image& saved) const {
    const Image now = image();
    for (auto name = now.rbegin(); name != now.rend(); ++name)
      if (!saved.contains(name->first))
        std::filesystem::remove_all(std::filesystem::path(program_.store()) / name->first);
    if (saved.empty()) std::filesystem::remove_all(program_.store());
    for (const auto& [name, bytes] : saved) {
      const std::filesystem::path at = std::filesystem::path(program_.store()) / name;
      if (name.ends_with('/')) {
        std::filesystem::create_directories(at);
        std::filesystem::permissions(at, std::filesystem::perms::owner_all);
      } else {
        std::ofstream(at, std::ios::binary | std::ios::trunc) << bytes;
        std::filesystem::permissions(
            at, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
      }
    }
  }

  /// All documents with their versions, as text.
  std::string documents() const {
    if (!std::filesystem::exists(program_.log_path())) return "no log";
    std::vector<std::string> wrong;
    const std::vector<Transaction> log = read_log(program_.log_path(), wrong);
    CHECK(wrong.empty());
    CHECK(to_text(check_log(log)) == "");
    std::map<std::string, std::string> all;
    for (const Transaction& transaction : log)
      for (const Change& change : transaction.changes)
        all[change.collection + " " + change.key] =
            fmt::format("{} {}", change.version, change.after.dump());
    std::string text;
    for (const auto& [name, document] : all) text += fmt::format("{} {}\n", name, document);
    return masked(text);
  }

  /// What is in the store, with who may do what.
  std::string names() const {
    std::string text;
    for (const auto& [name, bytes] : image())
      text += fmt::format("{} {:o}\n", name.starts_with("index/data-") ? "index/data" : name,
                          static_cast<unsigned>(std::filesystem::status(
                                                    std::filesystem::path(program_.store()) / name)
                                                    .permissions()));
    return text;
  }

 private:
  TemporaryDirectory directory_;
  Program program_;
};

}  // namespace workctl
