#include "cli/output.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "captured_process.h"
#include "cli/command_table.h"
#include "cli/exit_codes.h"
#include "support/temporary_directory.h"
#include "workctl/journal/journal.h"
#include "workctl/workload/workload.h"

namespace workctl::cli {

namespace {

struct Printed {
  std::string output;
  std::string error;
  int status;
};

/// What an Output of `format` for `command` prints when `use` uses it.
Printed printed(const Command& command, Format format, const std::function<int(Output&)>& use,
                bool quiet = false) {
  TemporaryDirectory directory;
  CapturedProcess process(directory.path(), [&] {
    Output output({.command = &command, .format = format, .quiet = quiet});
    return use(output);
  });
  const int status = process.wait();
  return {process.output, process.error, status};
}

Printed finished(const Command& command, Format format, const Result<Answer>& answer) {
  return printed(command, format, [&](Output& output) { return output.finish(answer); });
}

Answer claim() {
  return {.value = {{"workload_id", "w'1"},
                    {"claim_id", "claim_1"},
                    {"worker_id", "me"},
                    {"fencing_token", 3},
                    {"expires_at", 60}}};
}

Error refusal() { return {errc::kNotReady, "workload w is \x1B[31mRUNNING", "wait for it", "w"}; }

}  // namespace

TEST_CASE("output: JSON comes in an envelope, JSON lines bare") {
  CHECK(finished(kClaimCommand, Format::kJson, claim()).output ==
        R"({"workctl":1,"command":"claim","ok":{"claim_id":"claim_1","expires_at":60,)"
        R"("fencing_token":3,"worker_id":"me","workload_id":"w'1"}})"
        "\n");
  CHECK(finished(kClaimCommand, Format::kJsonLines, claim()).output ==
        R"({"claim_id":"claim_1","expires_at":60,"fencing_token":3,"worker_id":"me",)"
        R"("workload_id":"w'1"})"
        "\n");
}

TEST_CASE("output: a list is an array in JSON, a line each in JSON lines and ids") {
  const Answer list = {.value = {{"next", nullptr}},
                       .items = std::vector<Json>{{{"workload_id", "a"}}, {{"workload_id", "b"}}}};
  CHECK(finished(kRecoverCommand, Format::kJson, list).output ==
        R"({"workctl":1,"command":"recover","ok":{"items":[{"workload_id":"a"},)"
        R"({"workload_id":"b"}],"next":null}})"
        "\n");
  CHECK(finished(kRecoverCommand, Format::kJsonLines, list).output ==
        "{\"workload_id\":\"a\"}\n{\"workload_id\":\"b\"}\n");
  CHECK(finished(kRecoverCommand, Format::kIds, list).output == "a\nb\n");
}

TEST_CASE("output: assignments are quoted for the shell") {
  CHECK(finished(kClaimCommand, Format::kEnvironment, claim()).output ==
        "export WORKCTL_WORKLOAD='w'\\''1'\nexport WORKCTL_CLAIM='claim_1'\n"
        "export WORKCTL_WORKER='me'\nexport WORKCTL_TOKEN='3'\n");
}

TEST_CASE("output: an error leaves standard output empty and says what to do") {
  const Printed text = finished(kClaimCommand, Format::kText, std::unexpected(refusal()));
  CHECK(text.output.empty());
  CHECK(text.error == "workctl: claim: workload w is \\x1b[31mRUNNING\nhint: wait for it\n");
  CHECK(text.status == 5);
  const Printed json = finished(kClaimCommand, Format::kJson, std::unexpected(refusal()));
  CHECK(json.output.empty());
  CHECK(json.error ==
        R"({"workctl":1,"command":"claim","error":{"code":"WORKLOAD_NOT_READY","exit":5,)"
        R"("hint":"wait for it","message":"workload w is \u001b[31mRUNNING","workload_id":"w"}})"
        "\n");
}

TEST_CASE("output: trouble with the store has the contract's code and our cause") {
  const Printed json =
      finished(kClaimCommand, Format::kJsonLines, std::unexpected(Error{errc::kStoreBusy, "held"}));
  CHECK(json.error == R"({"workctl":1,"command":"claim","error":{"cause":"STORE_BUSY",)"
                      R"("code":"WORKLOAD_STORAGE_FAILURE","exit":9,"message":"held"}})"
                      "\n");
  CHECK(json.status == 9);
}

TEST_CASE("output: a message that is not UTF-8 does not break JSON") {
  const Printed json =
      finished(kClaimCommand, Format::kJson, std::unexpected(Error{errc::kBug, "a\xFF"}));
  CHECK(Json::parse(json.error).at("error").at("message") == "a\\xff");
  CHECK(json.status == kExitBug);
}

TEST_CASE("output: where there is nothing to assign, eval is made to fail") {
  const Answer nothing = {.exit_status = kExitNothingNow};
  const std::string failing = "unset WORKCTL_WORKLOAD WORKCTL_CLAIM WORKCTL_TOKEN; (exit 8)\n";
  CHECK(finished(kClaimCommand, Format::kEnvironment, nothing).output == failing);
  CHECK(finished(kClaimCommand, Format::kEnvironment,
                 std::unexpected(Error{errc::kNotYetEligible, "early"}))
            .output == failing);
  CHECK(finished(kClaimCommand, Format::kText, nothing).output.empty());
  CHECK(finished(kClaimCommand, Format::kIds, nothing).output.empty());
  CHECK(finished(kClaimCommand, Format::kJsonLines, nothing).output.empty());
  CHECK(finished(kClaimCommand, Format::kJson, nothing).output ==
        "{\"workctl\":1,\"command\":\"claim\",\"ok\":null}\n");
}

TEST_CASE("output: notices go to standard error, as JSON beside JSON, and can be silenced") {
  const auto use = [](Output& output) {
    output.notice("the clock \x07 stepped");
    return output.finish(Answer{.value = {{"workload_id", "w"}}});
  };
  CHECK(printed(kClaimCommand, Format::kIds, use).error ==
        "workctl: claim: note: the clock \\x07 stepped\n");
  CHECK(printed(kClaimCommand, Format::kJsonLines, use).error ==
        "{\"workctl\":1,\"command\":\"claim\",\"notice\":\"the clock \\u0007 stepped\"}\n");
  CHECK(printed(kClaimCommand, Format::kIds, use, true).error.empty());
}

TEST_CASE("output: items of a long answer come as they are done") {
  const auto use = [](Output& output) {
    output.item({{"workload_id", "a"}});
    output.refused_item(2, refusal());
    return output.finish(Answer{.value = {{"lines", 2}}, .items = std::vector<Json>()});
  };
  const Printed lines = printed(kCreateCommand, Format::kJsonLines, use);
  CHECK(lines.output ==
        "{\"workload_id\":\"a\"}\n"
        R"({"error":{"code":"WORKLOAD_NOT_READY","hint":"wait for it",)"
        R"("message":"workload w is \u001b[31mRUNNING","workload_id":"w"},"line":2})"
        "\n");
  CHECK(lines.error.empty());
  const Printed ids = printed(kCreateCommand, Format::kIds, use);
  CHECK(ids.output == "a\n");
  CHECK(ids.error ==
        "workctl: create: line 2: workload w is \\x1b[31mRUNNING\nhint: wait for it\n");
  const Json json = Json::parse(printed(kCreateCommand, Format::kJson, use).output);
  CHECK(json.at("ok").at("lines") == 2);
  CHECK(json.at("ok").at("items").size() == 2);
}

TEST_CASE("output: a full disk under standard output is an error, not success") {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  REQUIRE(full >= 0);
  const Printed text = printed(kClaimCommand, Format::kText, [&](Output& output) {
    ::dup2(full, STDOUT_FILENO);
    return output.finish(claim());
  });
  ::close(full);
  CHECK(text.status == kExitInputOutput);
  CHECK(text.error ==
        "workctl: claim: the answer could not be written to standard output: No space left on "
        "device; the command itself is done\n");
}

TEST_CASE("output: a reader that has left ends it quietly") {
  for (const bool signal_is_ignored : {false, true}) {
    const Printed text = printed(kClaimCommand, Format::kText, [&](Output& output) {
      std::array<int, 2> ends{};
      if (::pipe(ends.data()) != 0) return 99;
      if (signal_is_ignored) std::signal(SIGPIPE, SIG_IGN);
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      return output.finish(claim());
    });
    CHECK(text.status == kExitBrokenPipe);
    CHECK(text.error.empty());
  }
}

TEST_CASE("output: a command prints the formats that suit it") {
  CHECK(format_names(kClaimCommand) ==
        std::vector<std::string_view>{"text", "json", "jsonl", "id", "env"});
  CHECK(format_names(kInitCommand) == std::vector<std::string_view>{"text", "json", "jsonl"});
  CHECK(format_names(kBatchCommand) == std::vector<std::string_view>{"jsonl"});
}

}  // namespace workctl::cli
