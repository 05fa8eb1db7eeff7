#include "workctl/workload/grant.h"

#include <doctest/doctest.h>

#include "workctl/base/clock.h"
#include "workload/bench.h"

namespace workctl {
namespace {

constexpr Instant kDay = 24 * 60 * 60;

/// A store with its own key, trusted.
struct Store {
  explicit Store(bool trust_grants = true) {
    REQUIRE(bench.session.stage(founding_transaction(key.public_key(), trust_grants, "ada", 50)));
  }
  Json signed_with(const Json& changes = Json::object()) const {
    Json grant = sample_grant();
    grant.update(changes);
    return key.sign(std::move(grant)).value();
  }
  Result<void> check(const Json& signed_grant, Instant now = 100) {
    return check_trusted(bench.session, signed_grant, "app", now);
  }

  Bench bench{};
  SigningKey key = SigningKey::generate().value();
};

TEST_CASE("grant: a new store trusts its own key, and wants trust as it was told") {
  for (const bool trust : {true, false}) {
    Store store(trust);
    CHECK(grants_must_be_trusted(store.bench.session).value() == trust);
    auto& projection = store.bench.session.projection();
    CHECK(*projection.find(kTrustedKeys, store.key.public_key().key_id).value() ==
          Json{{"key_id", store.key.public_key().key_id},
               {"algorithm", "ed25519"},
               {"public_key", store.key.public_key().base64},
               {"added_at", 50},
               {"revoked_at", nullptr},
               {"comment", "this store's own key"}});
  }
  Bench bare;
  CHECK(grants_must_be_trusted(bare.session).value());
  bare.session.plant(kSettings, "trust", {{"grants", "some"}});
  CHECK(code_of(grants_must_be_trusted(bare.session)) == "DOCUMENT_UNREADABLE");
}

TEST_CASE("grant: a good one is trusted, in any letter case of ACTIVE") {
  Store store;
  for (const char* status : {"ACTIVE", "active", "Active"})
    CHECK(store.check(store.signed_with({{"status", status}})));
}

TEST_CASE("grant: a signature by a key from openssl is as good as any") {
  Store store;
  const auto other = SigningKey::from_pem(
      "-----BEGIN PRIVATE KEY-----\n"
      "MC4CAQAwBQYDK2VwBCIEIH3hsZZQLF6U3yW27P3S3/K5ye2yEsyia22m1OgkadXq\n"
      "-----END PRIVATE KEY-----\n");
  REQUIRE(other);
  const Json signed_grant = other->sign(sample_grant()).value();
  CHECK(code_of(store.check(signed_grant)) == "WORKLOAD_UNAUTHORIZED");
  const auto& [key_id, base64] = other->public_key();
  store.bench.session.plant(kTrustedKeys, key_id,
                            {{"key_id", key_id},
                             {"algorithm", "ed25519"},
                             {"public_key", base64},
                             {"added_at", 1},
                             {"revoked_at", nullptr},
                             {"comment", ""}});
  CHECK(store.check(signed_grant));
}

TEST_CASE("grant: every reason not to trust one has its own message") {
  Store store;
  const auto why = [&](const Json& signed_grant, Instant now = 100) {
    const auto checked = store.check(signed_grant, now);
    CHECK(code_of(checked) == "WORKLOAD_UNAUTHORIZED");
    return checked ? "" : checked.error().message;
  };
  CHECK(why(store.signed_with({{"status", "REVOKED"}})) == "grant grant-1 is REVOKED, not ACTIVE");
  CHECK(why(store.signed_with({{"issued_at", 101}})) ==
        "grant grant-1 is not good before 1970-01-01T00:01:41Z");
  CHECK(why(store.signed_with({{"expires_at", 100}})) ==
        "grant grant-1 ran out at 1970-01-01T00:01:40Z");
  CHECK(why(store.signed_with({{"capabilities", Json::array({"workload:read"})}})) ==
        "grant grant-1 does not hold workload:execute");
  CHECK(why(store.signed_with({{"resources", Json::array()}})) ==
        "grant grant-1 covers no work of application app");
  Json tampered = store.signed_with();
  tampered["grant"]["expires_at"] = 999'999;
  CHECK(why(tampered).starts_with("the grant does not carry key key_"));
  Json unknown = store.signed_with();
  unknown["key_id"] = "key_x";
  CHECK(why(unknown) == "key key_x is not trusted by this store");
  for (const char* member : {"grant", "key_id", "algorithm", "signature"}) {
    Json lacking = store.signed_with();
    lacking.erase(member);
    CHECK(why(lacking) == "the grant is not well-formed: " + std::string(member) + " is missing");
  }
  Json lacking = sample_grant();
  lacking.erase("expires_at");
  CHECK(why(store.key.sign(lacking).value()) ==
        "the grant is not well-formed: grant.expires_at is missing");
  CHECK(why(Json("x")) == "the grant is not well-formed: grant is missing");
}

TEST_CASE("grant: its window is from issued_at to before expires_at") {
  Store store;
  const Json signed_grant = store.signed_with({{"issued_at", 100}, {"expires_at", 200}});
  CHECK_FALSE(store.check(signed_grant, 99));
  CHECK(store.check(signed_grant, 100));
  CHECK(store.check(signed_grant, 199));
  CHECK_FALSE(store.check(signed_grant, 200));
}

TEST_CASE("grant: a key that was revoked signs nothing any more") {
  Store store;
  const std::string key_id = store.key.public_key().key_id;
  Json document = *store.bench.session.projection().find(kTrustedKeys, key_id).value();
  document["revoked_at"] = 90;
  store.bench.session.plant(kTrustedKeys, key_id, document);
  const auto checked = store.check(store.signed_with());
  CHECK(code_of(checked) == "WORKLOAD_UNAUTHORIZED");
  CHECK(checked.error().message == "key " + key_id + " was revoked at 1970-01-01T00:01:30Z");
  document.erase("public_key");
  store.bench.session.plant(kTrustedKeys, key_id, document);
  CHECK(code_of(store.check(store.signed_with())) == "DOCUMENT_UNREADABLE");
}

TEST_CASE("grant: a resource covers all applications, or one") {
  const auto covers = [](const char* kind, const char* uri, const char* application = "app") {
    return covers_application({{"kind", kind}, {"uri", uri}}, application);
  };
  CHECK(covers("workload", "flow://*"));
  CHECK(covers("workload", "flow://app/*"));
  CHECK(covers("workload", "flow://app"));
  for (const char* uri : {"", "*", "flow://", "flow://ap*", "flow://app2", "flow://app/", "app",
                          "flow://app/*/*", "flow://*/app", "FLOW://app", "flow://APP"})
    CHECK_FALSE(covers("workload", uri));
  CHECK_FALSE(covers("connection", "flow://*"));
  CHECK_FALSE(covers("Workload", "flow://*"));
}

TEST_CASE("grant: the store issues one to a user, finds it again, and it holds") {
  Store store;
  Session& session = store.bench.session;
  const auto find = [&](const char* login, const char* tenant, const char* application,
                        Instant now) {
    return find_issued_grant(session, login, tenant, application, now).value();
  };
  CHECK_FALSE(find("ada", "t", "app", 100));
  const auto issued = issue_grant(session, store.key, "ada", "t", "app", 100);
  REQUIRE_MESSAGE(issued, issued.error().message);
  CHECK(store.check(*issued));
  const Json& grant = issued->at("grant");
  CHECK(grant.at("subject") == Json{{"kind", "human"}, {"id", "ada"}});
  CHECK(grant.at("expires_at") == 100 + 90 * kDay);
  CHECK(grant.at("resources") == Json::array({{{"kind", "workload"}, {"uri", "flow://app/*"}}}));
  CHECK(grant.at("capabilities") == Json::array({"workload:execute"}));
  CHECK(find("ada", "t", "app", 100) == *issued);
  CHECK(find("ada", "t", "app", 100 + 89 * kDay - 1) == *issued);
  CHECK_FALSE(find("ada", "t", "app", 100 + 89 * kDay));
  CHECK_FALSE(find("ada", "t", "app", 99));
  CHECK_FALSE(find("bob", "t", "app", 100));
  CHECK_FALSE(find("ada", "u", "app", 100));
  CHECK_FALSE(find("ada", "t", "other", 100));
  const Json audit = store.bench.session.audits().back();
  CHECK(audit.at("authorization_decision_id") == grant.at("id"));
  CHECK(audit.at("actor") == "ada");
  Json request = sample_request();
  request["authorization_snapshot"] = *issued;
  CHECK(store.bench.authority.create(CreateRequest::from_json(request).value(), 100));
}

TEST_CASE("grant: an issued one is replaced in its time, and not used once its key is revoked") {
  Store store;
  Session& session = store.bench.session;
  REQUIRE(issue_grant(session, store.key, "ada", "t", "app", 100));
  const Instant later = 100 + 90 * kDay;
  const auto second = issue_grant(session, store.key, "ada", "t", "app", later);
  REQUIRE(second);
  CHECK(session.keys(kGrants).value().size() == 1);
  CHECK(find_issued_grant(session, "ada", "t", "app", later).value() == *second);
  const std::string key_id = store.key.public_key().key_id;
  Json document = *store.bench.session.projection().find(kTrustedKeys, key_id).value();
  document["revoked_at"] = later;
  store.bench.session.plant(kTrustedKeys, key_id, document);
  CHECK_FALSE(find_issued_grant(session, "ada", "t", "app", later).value());
}

TEST_CASE("grant: one that was issued for a strange name covers that name alone") {
  Store store;
  for (const char* application : {"*", "a/*", "", "a\"b"}) {
    const auto issued = issue_grant(store.bench.session, store.key, "ada", "t", application, 100);
    REQUIRE(issued);
    const Json& resource = issued->at("grant").at("resources").at(0);
    CHECK(covers_application(resource, application));
    CHECK_FALSE(covers_application(resource, "app"));
  }
}

TEST_CASE("grant: one that is issued at the end of time ends there") {
  Store store;
  const Instant last = std::numeric_limits<Instant>::max();
  const auto issued = issue_grant(store.bench.session, store.key, "ada", "t", "app", last - 1);
  REQUIRE(issued);
  CHECK(issued->at("grant").at("expires_at") == last);
}

}  // namespace
}  // namespace workctl
