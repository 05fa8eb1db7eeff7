#include "cli/arguments.h"
#include "cli/command_table.h"
#include "cli/commands/operation_batch.h"
#include "cli/context.h"

namespace workctl::cli {

namespace {

constexpr Option kFile = {.name = "FILE",
                          .kind = ValueKind::kFile,
                          .value_name = "FILE",
                          .help = "operations, one JSON object a line; - is standard input",
                          .fallback = "-"};
constexpr Option kSyncEvery = {
    .name = "--sync-every",
    .kind = ValueKind::kCount,
    .value_name = "N",
    .help = "let up to N operations share one commit; their answers wait for it, but not for input",
    .fallback = "1",
    .minimum = 1,
    .maximum = 1'000'000};
constexpr Option kAtomic = {
    .name = "--atomic",
    .help = "read everything first, then do all of it in one commit, or nothing"};
constexpr Option kChanged = {.name = "--changed",
                             .help =
                                 "add to each answer the documents it left different (`changed`) "
                                 "and the digest of all (`store_sha256`)"};
constexpr const Option* kPositionals[] = {&kFile};
constexpr const Option* kOptions[] = {&kSyncEvery, &kAtomic, &kChanged};
constexpr Example kExamples[] = {
    {R"(echo '{"op":"get","args":{"id":"workload_9b1c"}}' | workctl batch)",
     "one operation; a line with `ok` or `error` answers it"},
    {"workctl batch --sync-every 500 <operations.jsonl >answers.jsonl",
     "many operations, with one wait for the disk each five hundred"}};

Result<void> check(const Arguments& arguments) {
  if (arguments.has(kAtomic) && arguments.given(kSyncEvery))
    return failure(errc::kInvalidInput, "options --atomic and --sync-every exclude each other");
  return {};
}

Result<Answer> run(const Arguments& arguments, Context& context) {
  WORKCTL_TRY(const int input, context.input().open(arguments.text(kFile), kFile.name));
  OperationBatch batch(
      {.sync_every = arguments.count(kSyncEvery), .shows_changes = arguments.has(kChanged)},
      context, input);
  WORKCTL_TRY(const int status, arguments.has(kAtomic) ? batch.run_atomic() : batch.run());
  return Answer{.exit_status = status};
}

}  // namespace

constexpr Command kBatchCommand = {
    .name = "batch",
    .summary = "carry out operations that come as JSON lines",
    .group = Group::kShell,
    .positionals = kPositionals,
    .options = kOptions,
    .notes =
        "Each line is an object with `op` and `args`; other members are ignored. Operations are "
        "admit, get, list, claim, claim_next, start, heartbeat, execution_context, checkpoint, "
        "complete, fail, cancel, confirm_cancel, timeout, retry, recover_expired, can_transition, "
        "migrate and restart, which opens the store again. Instants are unix seconds and part of "
        "the operation. Where the store trusts grants only (`init --trust on`), admit verifies the "
        "request's grant as `workctl create --grant` does.\n\n"
        "Each is answered in its turn, once it is durable, by a line with `ok`, or with `error` "
        "(`code`, `message`). An operation that is refused does not change the exit status; a line "
        "that is no operation makes it 2, a failure of the store its own. Blank lines are "
        "skipped.\n\n"
        "The store's lock is held only while operations are worked on. With --atomic an operation "
        "that is refused leaves nothing done: the others are answered NOT_COMMITTED, and the exit "
        "status is the refusal's.",
    .examples = kExamples,
    .run = run,
    .check = check};

}  // namespace workctl::cli
