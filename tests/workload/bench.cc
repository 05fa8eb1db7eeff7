#include "workload/bench.h"

#include <doctest/doctest.h>

namespace workctl {

Json sample_grant() {
  return {{"contract_version", 1},
          {"id", "grant-1"},
          {"issuer", {{"kind", "service"}, {"id", "issuer"}}},
          {"subject", {{"kind", "human"}, {"id", "ada"}}},
          {"tenant_id", "t"},
          {"application_id", "app"},
          {"capabilities", Json::array({"workload:execute"})},
          {"resources", Json::array({{{"kind", "workload"}, {"uri", "flow://app/*"}}})},
          {"constraints", Json::object()},
          {"issued_at", 1},
          {"expires_at", 9999},
          {"parent_grant", nullptr},
          {"revision", 1},
          {"status", "ACTIVE"}};
}

Json sample_request(const std::string& key) {
  return {{"tenant_id", "t"},
          {"application_id", "app"},
          {"environment", "test"},
          {"definition_id", "send"},
          {"definition_revision", "1"},
          {"trigger", "manual"},
          {"input", {{"to", "a"}}},
          {"requested_by", {{"kind", "human"}, {"id", "ada"}}},
          {"authorization_snapshot", {{"grant", sample_grant()}}},
          {"capability_snapshot", Json::array({"mail"})},
          {"idempotency_key", key},
          {"created_at", 100}};
}

Json policy(std::uint64_t max_attempts) {
  return {{"max_attempts", max_attempts},
          {"initial_delay_ms", 0},
          {"max_delay_ms", 0},
          {"backoff", "fixed"},
          {"retry_on", Json::array({"again", "timeout", "worker_failure"})}};
}

Workload sample_workload(Json changes) {
  auto request = CreateRequest::from_json(sample_request());
  REQUIRE(request);
  Json document = admit(std::move(*request)).document();
  document.update(changes);
  auto workload = Workload::from_document(std::move(document));
  REQUIRE_MESSAGE(workload, workload.error().message);
  return std::move(*workload);
}

std::string Bench::create(const Json& changes) {
  Json request = sample_request("k" + std::to_string(session.revision()));
  request.update(changes);
  auto checked = CreateRequest::from_json(std::move(request));
  REQUIRE_MESSAGE(checked, checked.error().message);
  const Instant created_at = checked->created_at();
  const auto created = authority.create(std::move(*checked), created_at);
  REQUIRE_MESSAGE(created, created.error().message);
  return created->at("workload_id");
}

void Bench::alter(const std::string& id, const Json& changes) {
  Json altered = document(id);
  altered.update(changes);
  session.plant(kWorkloads, id, std::move(altered));
}

Result<Json> Bench::claim(const std::string& id, Instant now, std::uint64_t lease_ms) {
  return authority.claim(id, "w", {"mail"}, now, lease_ms);
}

Fence Bench::fence(const std::string& id, Instant now) const {
  const Json& claim = document(id).at("current_claim");
  REQUIRE(claim.is_object());
  return {claim.at("claim_id"), claim.at("worker_id"), claim.at("fencing_token"), now};
}

Fence Bench::run(const std::string& id, Instant now) {
  const auto claimed = claim(id, now);
  REQUIRE_MESSAGE(claimed, claimed.error().message);
  const auto started = authority.start(id, fence(id, now));
  REQUIRE_MESSAGE(started, started.error().message);
  return fence(id, now + 10);
}

const Json& Bench::document(const std::string& id) const {
  const Json* found = session.projection().find(kWorkloads, id).value();
  REQUIRE(found != nullptr);
  return *found;
}

std::uint64_t Bench::version(const std::string& id) const {
  return session.projection().version(kWorkloads, id).value();
}

Json Bench::last_event(const std::string& id) const {
  Json event = document(id).at("execution_history").back();
  event.erase("sequence");
  return event;
}

}  // namespace workctl
