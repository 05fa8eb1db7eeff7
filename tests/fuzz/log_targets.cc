#include <nlohmann/json.hpp>

#include "fuzz/targets.h"
#include "journal/line_codec.h"
#include "journal/log_format.h"
#include "support/simulated_file_system.h"
#include "workctl/journal/repair.h"

namespace workctl::fuzz {

namespace {

constexpr std::chrono::milliseconds kNoWait{0};

class Commits final : public CommitSink {
 public:
  void reset() override { commits.clear(); }
  Result<void> apply(Commit&& commit) override {
    commits.push_back(std::move(commit));
    return {};
  }
  /// Everything in them, to be compared.
  std::string text() const {
    Json all = Json::array();
    for (const Commit& commit : commits) {
      Json writes = Json::array();
      for (const Write& write : commit.writes)
        writes.push_back({write.collection, write.key, write.version,
                          write.form == WriteForm::kPatch, write.body});
      all.push_back({commit.revision, commit.transaction, commit.at, writes, commit.audit});
    }
    return canonical_text(all);
  }

  std::vector<Commit> commits;
};

std::string encode(const std::vector<Commit>& commits) {
  CommitLine line;
  for (const Commit& commit : commits) {
    std::vector<std::string> bodies;
    for (const Write& write : commit.writes) bodies.push_back(canonical_text(write.body));
    std::vector<WriteText> writes;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Write& write = commit.writes[i];
      writes.push_back({write.collection, write.key, write.version, write.form, bodies[i]});
    }
    line.add(commit.revision, commit.transaction, commit.at, writes, canonical_text(commit.audit));
  }
  return line.finish(log_format::no_digest());
}

/// The log that an input stands for.
std::string log_of(std::string_view input) {
  std::string log;
  std::string digest = log_format::no_digest();
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    const std::string_view line = input.substr(0, end);
    input.remove_prefix(std::min(end + 1, input.size()));
    if (line.starts_with('!')) {
      log += line.substr(1);
      log += '\n';
      continue;
    }
    log += finish_line(line, digest);
    digest = line_digest(line, digest);
  }
  return log;
}

class Machine {
 public:
  explicit Machine(const std::string& log) {
    demand(machine_.create_directories("/store").has_value(), "a directory can be made");
    machine_.put("/store/work.jsonl", log);
  }

  /// As a reader finds it, or as the next writer does.
  Result<std::string> read(bool as_writer) {
    WORKCTL_TRY(auto journal, Journal::open(directory("/store"), {.file_system = &machine_}));
    if (as_writer) WORKCTL_CHECK(journal->lock(kNoWait));
    Commits commits;
    WORKCTL_CHECK(journal->catch_up(commits));
    return commits.text();
  }
  VerifyReport verify() {
    Commits commits;
    const auto store = directory("/store");
    auto report = verify_log(*store, {.file_system = &machine_}, commits, {});
    demand(report.has_value(), "verify always has a report");
    return std::move(*report);
  }
  Result<Salvage> salvage() {
    demand(machine_.create_directories("/salvage").has_value(), "a directory can be made");
    const auto store = directory("/store");
    const auto target = directory("/salvage");
    return workctl::salvage(*store, *target, {.file_system = &machine_}, {});
  }
  Result<std::optional<DroppedTail>> drop_tail() {
    Commits commits;
    const auto store = directory("/store");
    return workctl::drop_tail(*store, {.actor = "a", .at = 1}, commits, {.file_system = &machine_},
                              kNoWait);
  }
  std::string log() const { return machine_.contents("/store/work.jsonl"); }
  std::string salvaged() const { return machine_.contents("/salvage/lines.jsonl"); }

 private:
  std::unique_ptr<Directory> directory(const std::string& path) {
    return machine_.open_directory(path).value();
  }

  SimulatedFileSystem machine_;
};

}  // namespace

void fuzz_line(std::string_view input) {
  if (const auto header = decode_header(input); header) {
    const auto again = decode_header(encode_header(*header));
    demand(again.has_value(), "an encoded header can be decoded");
    demand(encode_header(*again) == encode_header(*header), "a header is encoded in one way");
  }
  LogPosition position;
  position.revision = first_revision(input) - 1;
  Commits commits;
  if (!deliver_line(input, {}, position, commits)) return;
  if (commits.commits.empty()) return;
  const std::string line = encode(commits.commits);
  LineParts parts;
  demand(split_line(line, parts), "an encoded line can be split");
  position.revision = commits.commits.front().revision - 1;
  Commits again;
  demand(deliver_line(parts.body, {}, position, again).has_value(),
         "an encoded line can be decoded");
  demand(again.text() == commits.text(), "a line keeps its commits");
}

void fuzz_log(std::string_view input) {
  const std::string log = log_of(input);
  Machine machine(log);
  const auto read = machine.read(false);
  const VerifyReport report = machine.verify();
  const bool sound =
      report.end == VerifyReport::End::kClean || report.end == VerifyReport::End::kUnfinished;
  if (!read && report.lines > 0) demand(!sound, "what readers refuse is not sound");
  const auto salvage = machine.salvage();
  if (salvage && report.end == VerifyReport::End::kClean)
    demand(machine.salvaged() == log, "all of a sound log is salvaged");
  if (salvage) demand(salvage->lines >= report.lines, "what verifies is salvaged");
  demand(machine.log() == log, "readers change nothing");

  const auto settled = machine.read(true);
  if (!settled) demand(machine.log() == log, "a writer that refuses changes nothing");
  if (settled) {
    demand(sound && read.has_value(), "what writers accept is sound, and readers take it");
    demand(*settled == *read, "readers and writers find the same");
    demand(machine.read(true).value() == *settled, "what was settled stays");
    return;
  }
  const auto dropped = machine.drop_tail();
  if (!dropped || !*dropped) return;
  demand(machine.read(true).has_value(), "what was repaired can be written");
  demand(machine.verify().end == VerifyReport::End::kClean, "what was repaired is sound");
  demand(machine.log().starts_with(std::string_view(log).substr(0, report.bytes)),
         "a repair keeps what verifies");
}

}  // namespace workctl::fuzz
