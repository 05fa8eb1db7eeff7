#include "support/log_machine.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "workctl/base/json.h"

namespace workctl {

namespace {
constexpr std::chrono::milliseconds kNoWait{0};
}

Result<void> Notes::apply(Commit&& commit) {
  for (const Write& write : commit.writes) texts.push_back(write.body.get<std::string>());
  return {};
}

CommitLine note_line(std::uint64_t revision, const std::string& note) {
  const std::string body = canonical_text(Json(note));
  const std::string key = "note-" + std::to_string(revision);
  const WriteText write{"notes", key, 1, WriteForm::kDocument, body};
  CommitLine line;
  line.add(revision, "tx_" + std::to_string(revision), static_cast<Instant>(revision),
           std::span(&write, 1), "[]");
  return line;
}

LogMachine::LogMachine() {
  REQUIRE(machine_.create_directories("/store"));
  const auto directory = machine_.open_directory("/store");
  REQUIRE(directory);
  LogHeader header;
  header.store_id = "store_test";
  const auto made = Journal::create(
      **directory, header, note_line(1, "first"), [] { return Result<void>(); },
      {.file_system = &machine_}, kNoWait);
  REQUIRE(made);
  REQUIRE(*made);
}

Result<std::unique_ptr<Journal>> LogMachine::open() {
  auto directory = machine_.open_directory("/store");
  if (!directory) return std::unexpected(describe(directory.error(), "/store"));
  return Journal::open(*std::move(directory),
                       {.file_system = &machine_,
                        .notice = [this](const std::string& text) { notices.push_back(text); }});
}

Result<void> LogMachine::append(Journal& journal, const std::string& note) {
  WORKCTL_CHECK(journal.lock(kNoWait));
  Notes notes;
  auto done = journal.catch_up(notes);
  if (done) done = journal.append(note_line(journal.position().revision + 1, note));
  journal.unlock();
  return done;
}

Result<void> LogMachine::append(const std::string& note) {
  WORKCTL_TRY(const auto journal, open());
  return append(*journal, note);
}

Result<std::vector<std::string>> LogMachine::settle() {
  WORKCTL_TRY(const auto journal, open());
  WORKCTL_CHECK(journal->lock(kNoWait));
  Notes notes;
  WORKCTL_CHECK(journal->catch_up(notes));
  return notes.texts;
}

Result<std::vector<std::string>> LogMachine::read() {
  WORKCTL_TRY(const auto journal, open());
  Notes notes;
  WORKCTL_CHECK(journal->catch_up(notes));
  return notes.texts;
}

std::vector<std::string> LogMachine::archived() const {
  SimulatedFileSystem copy = machine_.fork();
  const auto archive = copy.open_directory("/store/archive");
  if (!archive) return {};
  return (*archive)->list().value();
}

}  // namespace workctl
