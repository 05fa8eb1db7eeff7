#!/bin/sh
# workctl create
. "${0%/*}/harness.sh"

session 'the shortest useful line'
quietly workctl init
run workctl create --definition send-mail --input '{"to":"a"}' -o json
exits 0
json .ok.created true
json .ok.state READY
json '.ok.idempotency_key | test("^auto-[0-9a-f]{32}$")' true
json '.ok.workload_id | test("^workload_[0-9a-f]{24}$")' true
run workctl show "$(jq -r .ok.workload_id "$sessions_directory/out")" -o jsonl
json .tenant_id default
json .application_id default
json .environment default
json .definition_revision 1
json .trigger manual
json .input '{"to":"a"}'
json '.requested_by.kind' human
json '.execution_history | map(.event_type) | join(" ")' workload.ready

session 'without a key, running it twice makes two'
quietly workctl init
new_work
first=$id
new_work
same 'two ids' yes "$([ "$first" != "$id" ] && echo yes)"

session 'under a key, the same request is answered with what it made'
quietly workctl init
new_work --key k --input '{"a": 1, "b": 2}'
before=$(log_digest)
run workctl create --definition send-mail --key k --input '{"b":2,"a":1}' -o json
exits 0
json .ok.created false
json .ok.workload_id "$id"
unchanged "$before"

session 'under a key, another request is refused'
quietly workctl init
new_work --key k --input 1
before=$(log_digest)
run workctl create --definition send-mail --key k --input 1.0
refused 4 "$id"
run workctl create --definition other --key k --input 1
exits 4
run workctl create --definition send-mail --key k --input 1 --capability c
exits 4
unchanged "$before"
run workctl create --definition send-mail --key k --input 1 --tenant other -o json
exits 0
json .ok.created true

session 'every member has its option'
quietly workctl init
run workctl create --definition d --revision 7 --tenant t --application a --environment e \
  --trigger cron --key k --input '[1]' --session s --capability c2 --capability c1 \
  --connection-scope db --priority -5 --not-before +1h --max-attempts 9 --initial-delay 2s \
  --max-delay 1m --backoff fixed --retry-on timeout --queue-timeout 1m --claim-timeout 2m \
  --execution-timeout 3m --heartbeat-timeout 4m --overall-timeout 5m --after workload_x=failed \
  --now 1800000000 -o id
exits 0
run workctl show "$(output)" -o jsonl
json '[.definition_id, .definition_revision, .tenant_id, .application_id, .environment] | join(" ")' \
  'd 7 t a e'
json '[.trigger, .idempotency_key, .session_id] | join(" ")' 'cron k s'
json .capability_snapshot '["c1","c2"]'
json .connection_scopes '["db"]'
json .priority -5
json .next_attempt_at 1800003600
json .created_at 1800000000
json '.retry_policy | [.max_attempts, .initial_delay_ms, .max_delay_ms, .backoff, .retry_on[]]' \
  '[9,2000,60000,"fixed","timeout"]'
json '.timeouts | [.queue_ms, .claim_ms, .execution_ms, .heartbeat_ms, .overall_ms]' \
  '[60000,120000,180000,240000,300000]'
json .dependencies '[{"required_state":"FAILED","workload_id":"workload_x"}]'

session 'a whole request as a document, with options that replace its members'
quietly workctl init
echo '{"definition_id": "d", "idempotency_key": "k", "input": 1, "priority": 3}' >request.json
run workctl create --from request.json --input 2 -o id
exits 0
run workctl show "$(output)" -o jsonl
json .input 2
json .priority 3
run_with '{"definition_id": "d", "idempotency_key": "k2"}' workctl create --from - -o json
exits 0
json .ok.idempotency_key k2

session 'a document with a member that no request has'
quietly workctl init
before=$(log_digest)
run_with '{"definition_id": "d", "prioriti": 3}' workctl create --from -
refused 2 prioriti
err_has priority
unchanged "$before"

session 'a document with a member of another type'
quietly workctl init
run_with '{"definition_id": "d", "priority": "high"}' workctl create --from -
refused 2 priority
run_with '["d"]' workctl create --from -
refused 2 'object'

session 'what is to be run must be said'
quietly workctl init
run workctl create --input 1
refused 2 '--definition'

session 'a key that is blank'
quietly workctl init
run workctl create --definition d --key ' '
refused 2 'key'

session 'input that holds a secret is refused'
quietly workctl init
before=$(log_digest)
for input in '{"a": [{"TOKEN": 1}]}' '"sk-1"' '"fdb_live_1"' '"-----BEGIN PRIVATE KEY-----"'; do
  run workctl create --definition d --input "$input"
  exits 7
done
run workctl create --definition d --input '{"mail": {"password": "x"}}'
refused 7 'password'
unchanged "$before"

session 'a policy that can never run'
quietly workctl init
run workctl create --definition d --max-attempts 0
refused 2 '--max-attempts'
run workctl create --definition d --max-attempts -1
refused 2 '--max-attempts'
run_with '{"definition_id": "d", "retry_policy": {"max_attempts": 0, "initial_delay_ms": 0,
  "max_delay_ms": 0, "backoff": "fixed"}}' workctl create --from -
refused 2 'max_attempts'

session 'a batch: one document a line, each answered'
quietly workctl init
cat >requests.jsonl <<'LINES'
{"definition_id": "d", "idempotency_key": "1"}
{"definition_id": "d", "idempotency_key": "2"}
{"definition_id": "d", "idempotency_key": "1"}
LINES
run workctl create --batch requests.jsonl --tenant acme -o jsonl
exits 0
json .created "$(printf 'true\ntrue\nfalse')"
json .line "$(printf '1\n2\n3')"
run workctl list --tenant acme -o id
same 'stored' 2 "$(output | wc -l)"
run workctl create --batch requests.jsonl --tenant acme
exits 0
out_has '0 created, 3 there already, 0 refused'

session 'a batch goes on after a bad line, and says which'
quietly workctl init
cat >requests.jsonl <<'LINES'
{"definition_id": "d", "idempotency_key": "1"}
{"definition_id": "d", "idempotency_key": "2", "input": {"secret": 1}}
{"definition_id": "d",
{"definition_id": "d", "idempotency_key": "3"}
LINES
run workctl create --batch requests.jsonl
exits 7
err_has 'line 2: '
err_has 'line 3: '
out_has '2 created, 0 there already, 2 refused'
run workctl list -o id
same 'stored' 2 "$(output | wc -l)"

session 'an atomic batch with a bad line leaves nothing'
quietly workctl init
before=$(log_digest)
run workctl create --batch - --atomic </dev/null
exits 0
printf '%s\n' '{"definition_id": "d", "idempotency_key": "1"}' '{"definition_id": "d", "x": 1}' >r
run workctl create --batch r --atomic
exits 2
err_has 'line 2: '
unchanged "$before"
printf '%s\n' '{"definition_id": "d", "idempotency_key": "1"}' '{"definition_id": "e"}' >r
run workctl create --batch r --atomic
exits 0
same 'lines in the log: header, founding, one commit' 3 \
  "$(wc -l <"$XDG_STATE_HOME/workctl/work.jsonl")"

session 'options that do not go together'
quietly workctl init
echo {} >a
run workctl create --from a --batch a
refused 2 'exclude each other'
run workctl create --definition d --atomic
refused 2 '--batch only'
run workctl create --batch b --key k
refused 2 '--key'

session 'an input of more than 16 MiB'
quietly workctl init
before=$(log_digest)
{
  printf '"'
  head -c 16777216 /dev/zero | tr '\0' x
  printf '"'
} >large.json
run workctl create --definition d --input @large.json
refused 2 '16777216'
err_has '16777218'
unchanged "$before"

session 'work that a grant of the store allows is kept under one grant'
quietly workctl init
new_work --key a
first=$id
new_work --key b
quietly workctl show "$first" -o jsonl
grant=$(jq -r .authorization_snapshot.grant.id "$sessions_directory/out")
run workctl show "$id" -o jsonl
json .authorization_snapshot.grant.id "$grant"
json .authorization_snapshot.algorithm ed25519
json '.authorization_snapshot.grant.subject == .requested_by' true

session 'work for somebody else needs a grant in their name'
quietly workctl init
run workctl create --definition d --requested-by service:billing
refused 7 'service'
err_has '--grant'

session 'a grant that is not trusted'
quietly workctl init
quietly workctl --store other init
quietly workctl --store other create --definition d -o id
quietly workctl --store other show "$(output)" -o jsonl
jq .authorization_snapshot "$sessions_directory/out" >grant.json
before=$(log_digest)
run workctl create --definition d --grant grant.json
refused 7 'key_'
unchanged "$before"

session 'a grant that was changed'
quietly workctl init
new_work
quietly workctl show "$id" -o jsonl
jq '.authorization_snapshot | .grant.tenant_id = "acme"' "$sessions_directory/out" >grant.json
run workctl create --definition d --tenant acme --grant grant.json
refused 7 'signature'

session 'a grant of this store, given by hand'
quietly workctl init
new_work
quietly workctl show "$id" -o jsonl
jq .authorization_snapshot "$sessions_directory/out" >grant.json
run workctl create --definition d --grant grant.json -o json
exits 0
json .ok.created true
run workctl create --definition d --grant grant.json --tenant acme
refused 7 'tenant'
run workctl create --definition d --grant grant.json --application billing
exits 7

session 'a store that trusts any grant'
quietly workctl init --trust off
echo '{"grant": {"contract_version": 1, "id": "g", "issuer": {"kind": "human", "id": "root"},
  "subject": {"kind": "service", "id": "x"}, "tenant_id": "t", "application_id": "a",
  "capabilities": [], "resources": [], "constraints": {}, "issued_at": 1, "expires_at": 2,
  "parent_grant": null, "revision": 1, "status": "ACTIVE"}, "key_id": "k", "signature": "made up"}' \
  >grant.json
run workctl create --definition d --tenant t --application a --grant grant.json -o json
exits 0
json .ok.created true
run workctl create --definition d --tenant other --application a --grant grant.json
refused 7 'tenant'
