#!/bin/sh
# workctl batch: operations as JSON lines, answers as JSON lines.
. "${0%/*}/harness.sh"

# A request in the shape of the conformance traces.
request() {
  printf '{"tenant_id":"t","application_id":"a","environment":"e","definition_id":"d",'
  printf '"definition_revision":"1","trigger":"manual","input":%s,' "$2"
  printf '"requested_by":{"kind":"human","id":"ada"},"capability_snapshot":[],"created_at":1800000000,'
  printf '"idempotency_key":"%s","authorization_snapshot":{"grant":{"contract_version":1,"id":"g",' "$1"
  printf '"issuer":{"kind":"human","id":"root"},"subject":{"kind":"human","id":"ada"},'
  printf '"tenant_id":"t","application_id":"a","capabilities":["workload:execute"],"resources":[],'
  printf '"constraints":{},"issued_at":1,"expires_at":2,"parent_grant":null,"revision":1,'
  printf '"status":"ACTIVE"},"key_id":"k","signature":"s"}}'
}
admit() { printf '{"op":"admit","args":{"input":%s}}\n' "$(request "$1" "$2")"; }
claim_next() {
  printf '{"op":"claim_next","args":{"tenant":"t","application":"a","worker":"w","capabilities":[],'
  printf '"now":1800000000,"lease_ms":60000}}\n'
}

session 'each operation is answered by a line, in order'
quietly workctl init --trust off
{
  admit 1 1
  claim_next
  claim_next
  echo '{"op":"can_transition","args":{"from":"READY","to":"CLAIMED"}}'
  echo '{"op":"get","args":{"id":"workload_nobody"}}'
} >operations.jsonl
run workctl batch <operations.jsonl
exits 0
same 'lines' 5 "$(output | wc -l)"
json 'select(.error) | .error.code' WORKLOAD_NOT_FOUND
same 'created' true "$(sed -n 1p "$sessions_directory/out" | jq .ok.created)"
same 'claimed' 1 "$(sed -n 2p "$sessions_directory/out" | jq .ok.fencing_token)"
same 'nothing left' null "$(sed -n 3p "$sessions_directory/out" | jq .ok)"
same 'the table' true "$(sed -n 4p "$sessions_directory/out" | jq .ok)"
run workctl list -o id
same 'stored' 1 "$(output | wc -l)"

session 'nothing to do'
quietly workctl init
run workctl batch </dev/null
exits 0
out_empty

session 'a line that is no operation is answered by an error, and the others go on'
quietly workctl init --trust off
{
  echo '[1]'
  echo 'no json'
  echo '{"op":"fly","args":{}}'
  echo '{"op":"get"}'
  echo '{"op":"claim_next","args":{"tenant":"t"}}'
  admit 1 1
} >operations.jsonl
run workctl batch <operations.jsonl
same 'lines' 6 "$(output | wc -l)"
same 'errors' 5 "$(jq -c 'select(.error)' "$sessions_directory/out" | wc -l)"
same 'the last' true "$(tail -n 1 "$sessions_directory/out" | jq .ok.created)"
out_has object
out_has fly

session 'several operations share a line of the log'
quietly workctl init --trust off
log=$XDG_STATE_HOME/workctl/work.jsonl
lines=$(wc -l <"$log")
for number in 1 2 3 4 5; do
  admit "$number" "$number"
done >operations.jsonl
run workctl batch --sync-every 5 <operations.jsonl
exits 0
same 'answers' 5 "$(output | wc -l)"
same 'lines in the log' $((lines + 1)) "$(wc -l <"$log")"
run workctl verify
exits 0
run workctl list -o id
same 'stored' 5 "$(output | wc -l)"

session 'all or nothing'
quietly workctl init --trust off
before=$(log_digest)
{
  admit 1 1
  admit 1 2
} >operations.jsonl
run workctl batch --atomic <operations.jsonl
exits 4
unchanged "$before"
{
  admit 1 1
  admit 2 2
} >operations.jsonl
run workctl batch --atomic <operations.jsonl
exits 0
run workctl list -o id
same 'stored' 2 "$(output | wc -l)"

session 'what each operation changed, and the digest of the whole'
quietly workctl init --trust off
admit 1 1 >operations.jsonl
run workctl batch --changed <operations.jsonl
exits 0
json '.changed | length' 1
json '.changed[].__version' 1
json '.changed[].state' READY
json '.store_sha256 | test("^[0-9a-f]{64}$")' true

session 'where grants must be trusted, a made-up one admits nothing'
quietly workctl init
admit 1 1 >operations.jsonl
run workctl batch <operations.jsonl
exits 0
json .error.code WORKLOAD_UNAUTHORIZED
run workctl list -o id
out_empty
