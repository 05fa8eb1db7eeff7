#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/context.h"
#include "cli/decide.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/wording.h"
#include "workctl/base/text.h"
#include "workctl/store/local_engine.h"
#include "workctl/workload/grant.h"

namespace workctl::cli {

namespace {

constexpr std::string_view kTrustChoices[] = {"on", "off"};
constexpr Option kTrust = {.name = "--trust",
                           .kind = ValueKind::kChoice,
                           .value_name = "on|off",
                           .help =
                               "whether a grant must be signed by a key that the store trusts; off "
                               "accepts any grant that names the requester, tenant and application",
                           .fallback = "on",
                           .choices = kTrustChoices};
constexpr const Option* kOptions[] = {&kTrust, &kActor};
constexpr Example kExamples[] = {
    {"workctl init", "make the store of this user; running it again changes nothing"},
    {"workctl init --store /srv/work --trust off",
     "a store elsewhere, for work that comes with grants of another system"}};

/// What the store is, which is there now.
Result<Answer> report(Context& context, bool created) {
  WORKCTL_CHECK(context.open());
  WORKCTL_TRY(View* const view, context.read());
  WORKCTL_TRY(const bool trusted_only, grants_must_be_trusted(*view));
  return Answer{.value = {{"store", printable(context.store_path())},
                          {"store_id", context.engine().store_id()},
                          {"created", created},
                          {"trust", trusted_only ? "on" : "off"}}};
}

Result<bool> make_store(const Arguments& arguments, Context& context) {
  WORKCTL_TRY(const SigningKey key, SigningKey::generate());
  const Instant now = context.now();
  const NewStore store = {
      .created_at = now,
      .private_texts = {{kSigningKeyName, key.pem()}},
      .first = founding_transaction(key.public_key(), arguments.text(kTrust) == "on",
                                    actor(arguments), now)};
  return create_local_store(context.store_path(), store, context.journal_options(),
                            context.lock_timeout());
}

Result<Answer> run(const Arguments& arguments, Context& context) {
  // Looking first spares the common second run a key and the lock.
  bool created = false;
  Result<Answer> answer = report(context, created);
  if (!answer && answer.error().code == errc::kStoreNotFound) {
    WORKCTL_TRY(created, make_store(arguments, context));
    answer = report(context, created);
  }
  if (answer && arguments.given(kTrust) && answer->value.at("trust") != arguments.text(kTrust))
    return failure(errc::kStoreDiffers,
                   fmt::format("the store in {} is there already, with --trust {}",
                               context.store_path(), answer->value.at("trust").get<std::string>()));
  return answer;
}

std::string describe(const Answer& answer, const Style&) {
  const Json& value = answer.value;
  return fmt::format("{} in {} ({}, trust {})\n",
                     value.at("created").get<bool>() ? "new store" : "the store is there already,",
                     member_text(value, "store"), member_text(value, "store_id"),
                     member_text(value, "trust"));
}

}  // namespace

constexpr Command kInitCommand = {.name = "init",
                                  .summary = "make a store",
                                  .group = Group::kStore,
                                  .needs = Needs::kStoreDirectory,
                                  .options = kOptions,
                                  .notes =
                                      "The store gets a signing key of its own, which it trusts. A "
                                      "store that is there already is left as it is and reported.",
                                  .examples = kExamples,
                                  .run = run,
                                  .describe = describe};

}  // namespace workctl::cli
