#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/commands/create_batch.h"
#include "cli/commands/create_options.h"
#include "cli/commands/create_request.h"
#include "cli/wording.h"
#include "workctl/workload/authority.h"

namespace workctl::cli {

namespace {

using namespace create;

constexpr const Option* kOptions[] = {&kDefinition,
                                      &kInput,
                                      &kKey,
                                      &kTenant,
                                      &kApplication,
                                      &kEnvironment,
                                      &kRevision,
                                      &kTrigger,
                                      &kRequestedBy,
                                      &kSession,
                                      &kGrant,
                                      &kCapability,
                                      &kConnectionScope,
                                      &kPriority,
                                      &kNotBefore,
                                      &kAfter,
                                      &kMaxAttempts,
                                      &kInitialDelay,
                                      &kMaxDelay,
                                      &kBackoff,
                                      &kRetryOn,
                                      &kQueueTimeout,
                                      &kClaimTimeout,
                                      &kExecutionTimeout,
                                      &kHeartbeatTimeout,
                                      &kOverallTimeout,
                                      &kFrom,
                                      &kBatch,
                                      &kAtomic};
constexpr Example kExamples[] = {
    {R"(workctl create --definition send-mail --input '{"to": "a"}')",
     "the shortest useful line; running it twice makes two"},
    {R"sh(workctl create --definition report --key "report-$(date +%F)" --input @report.json)sh",
     "once a day, however often cron runs it"},
    {"workctl create --definition send-mail --after workload_9b1c --not-before +15m",
     "after other work has succeeded, and not before a quarter of an hour has passed"},
    {"workctl create --batch requests.jsonl --tenant acme -o jsonl",
     "many at once, each answered by a line"}};

Result<void> check(const Arguments& arguments) {
  if (arguments.has(kFrom) && arguments.has(kBatch))
    return failure(errc::kInvalidInput, "options --from and --batch exclude each other");
  if (!arguments.has(kDefinition) && !arguments.has(kFrom) && !arguments.has(kBatch))
    return failure(errc::kInvalidInput, "option --definition NAME is needed",
                   "or a whole request with --from FILE, or many with --batch FILE");
  if (arguments.has(kAtomic) && !arguments.has(kBatch))
    return failure(errc::kInvalidInput, "option --atomic goes with --batch only");
  if (arguments.has(kKey) && arguments.has(kBatch))
    return failure(errc::kInvalidInput, "option --key does not go with --batch",
                   "give each request an idempotency_key of its own");
  return {};
}

Result<Answer> run(const Arguments& arguments, Context& context) {
  if (arguments.has(kBatch)) return run_batch(arguments, context);
  Json document = arguments.has(kFrom) ? arguments.json(kFrom) : Json::object();
  WORKCTL_TRY(const std::unique_ptr<Session> session, context.begin());
  RequestMaker maker(arguments, context, *session, context.now());
  Result<CreateRequest> request = maker.make(std::move(document));
  if (!request && arguments.has(kFrom))
    request.error().message = "--from: " + request.error().message;
  WORKCTL_TRY(CreateRequest made, std::move(request));
  Authority authority(*session);
  WORKCTL_TRY(Json value, create_one(authority, std::move(made), context.now()));
  WORKCTL_CHECK(session->commit());
  return Answer{.value = std::move(value)};
}

std::string describe(const Answer& answer, const Style& style) {
  const Json& value = answer.value;
  if (value.contains("lines")) return describe_batch(value);
  const std::string state = value.at("state").get<std::string>();
  if (!value.at("created").get<bool>())
    return fmt::format("{} was there already, it is {}\n", member_text(value, "workload_id"),
                       state_text(state, style));
  return fmt::format("{} created, key {}\n", member_text(value, "workload_id"),
                     member_text(value, "idempotency_key"));
}

std::vector<Assignment> assign(const Answer& answer) {
  if (!answer.value.contains("workload_id")) return {};
  return {{"WORKCTL_WORKLOAD", answer.value.at("workload_id").get<std::string>()}};
}

}  // namespace

constexpr Command kCreateCommand = {
    .name = "create",
    .summary = "ask for a piece of work, or for many",
    .group = Group::kProduce,
    .options = kOptions,
    .notes =
        "A workload's id comes from tenant, application, requester and key: the same request under "
        "the same key is answered with the workload that is there, a different one is refused "
        "(exit status 4). Without --key a random key is made and printed, so that running the "
        "command twice makes two workloads.\n\n"
        "Timeouts are recorded with the work; `workctl timeout` is how one is enforced.\n\n"
        "Without --grant the store issues a grant to the user, and keeps it for later requests.\n\n"
        "--batch works in chunks, each with one commit; a line is answered once it is durable. A "
        "line that is refused is named with its number and skipped; the exit status is then the "
        "one of the first such line. With --atomic it leaves nothing created.",
    .examples = kExamples,
    .run = run,
    .check = check,
    .describe = describe,
    .assign = assign,
    .answers_ids = true};

}  // namespace workctl::cli
