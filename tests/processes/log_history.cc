#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "processes/history.h"

namespace workctl {

namespace {

Change read_write(const Json& write, Json& document) {
  Change change{.collection = write.at("collection"),
                .key = write.at("key"),
                .version = write.at("version"),
                .before = document};
  document = write.contains("patch") ? document.patch(write.at("patch")) : write.at("document");
  change.after = document;
  return change;
}

}  // namespace

std::vector<Transaction> read_log(const std::string& path, std::vector<std::string>& wrong) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  std::string text = content.str();
  text.resize(text.rfind('\n') == text.npos ? 0 : text.rfind('\n') + 1);

  std::vector<Transaction> log;
  std::map<std::pair<std::string, std::string>, Json> documents;
  std::istringstream lines(text);
  std::uint64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      const Json value = Json::parse(line);
      if (number == 1) continue;  // the header
      for (const Json& commit : value.at("commits")) {
        Transaction transaction{
            .line = number, .revision = commit.at("revision"), .at = commit.at("at")};
        for (const Json& entry : commit.at("audit"))
          transaction.operation = entry.value("operation_id", "");
        for (const Json& write : commit.at("writes"))
          transaction.changes.push_back(
              read_write(write, documents[{write.at("collection"), write.at("key")}]));
        log.push_back(std::move(transaction));
      }
    } catch (const Json::exception& error) {
      wrong.push_back(fmt::format("line {} of the log: {}", number, error.what()));
    }
  }
  return log;
}

}  // namespace workctl
