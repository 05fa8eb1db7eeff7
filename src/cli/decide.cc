#include "cli/decide.h"

#include <fmt/format.h>

#include "cli/options.h"
#include "cli/user.h"
#include "cli/wording.h"

namespace workctl::cli {

Result<Json> decide(Context& context, const Arguments& arguments, const Operation& operate) {
  WORKCTL_TRY(const std::unique_ptr<Session> session, context.begin());
  Authority authority(*session);
  authority.require_version(arguments.optional_count(kIfVersion));
  Result<Json> answer = operate(authority, context.now());
  WORKCTL_CHECK(session->commit());
  return answer;
}

Result<Answer> change(Context& context, const Arguments& arguments, const std::string& id,
                      const Operation& operate) {
  WORKCTL_TRY(Json value,
              decide(context, arguments, [&](Authority& authority, Instant now) -> Result<Json> {
                WORKCTL_CHECK(operate(authority, now));
                return outcome(authority, id);
              }));
  return Answer{.value = std::move(value)};
}

Result<Json> outcome(Authority& authority, const std::string& id) {
  WORKCTL_TRY(const StoredDocument stored, authority.get(id));
  return Json{{"workload_id", id},
              {"state", stored.document.at("state")},
              {"next_attempt_at", stored.document.at("next_attempt_at")},
              {"__version", stored.version}};
}

std::string describe_outcome(const Answer& answer, const Style& style) {
  const Json& value = answer.value;
  const std::string state = value.at("state").get<std::string>();
  std::string text =
      fmt::format("{} is {}", member_text(value, "workload_id"), state_text(state, style));
  if (state == "READY" && !value.at("next_attempt_at").is_null())
    text += fmt::format(", not before {}", instant_text(value.at("next_attempt_at")));
  if (state == "CANCELLATION_REQUESTED") text += ": the worker that holds it is to confirm";
  return text + "\n";
}

Fence fence(const Arguments& arguments, Instant now) {
  return {.claim_id = arguments.text(kClaim),
          .worker_id = worker(arguments),
          .token = arguments.count(kToken),
          .now = now};
}

std::string worker(const Arguments& arguments) {
  return arguments.has(kWorker) ? arguments.text(kWorker) : default_worker();
}

std::string actor(const Arguments& arguments) {
  return arguments.has(kActor) ? arguments.text(kActor) : "human:" + login_name();
}

}  // namespace workctl::cli
