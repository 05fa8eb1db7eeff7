#!/bin/sh
# workctl claim: who takes what, and what the others are told.
. "${0%/*}/harness.sh"

session 'the next piece of work is taken under a lease'
quietly workctl init
new_work
run workctl claim --next --worker w1 --lease 90s --now 1800000000 -o json
exits 0
err_empty
json .workctl 1
json .command claim
json .ok.workload_id "$id"
json .ok.worker_id w1
json .ok.fencing_token 1
json .ok.claimed_at 1800000000
json .ok.expires_at 1800000090

session 'priority comes before age, age before nothing'
quietly workctl init
new_work --key old --now 1800000000
old=$id
new_work --key young --now 1800000001
young=$id
new_work --key urgent --priority 5 --now 1800000002
urgent=$id
run workctl claim --next -o id
out_is "$urgent"
run workctl claim --next -o id
out_is "$old"
run workctl claim --next -o id
out_is "$young"

session 'nothing to take is exit code 8, and no error'
quietly workctl init
before=$(log_digest)
run workctl claim --next
refused 8 'nothing to claim for tenant default, application default'
new_work --tenant acme --application billing
run workctl claim --next
exits 8
run workctl claim --next --tenant acme --application shipping
exits 8
run workctl claim --next --tenant acme --application billing -o id
exits 0
out_is "$id"

session 'nothing to take changes nothing'
quietly workctl init
before=$(log_digest)
run workctl claim --next
exits 8
unchanged "$before"

session 'work that is held is not taken again'
quietly workctl init
new_work
take --worker w1
before=$(log_digest)
run workctl claim "$id" --worker w2
refused 5 "$id"
err_has CLAIMED
unchanged "$before"

session 'work that needs more than the worker can do is refused'
quietly workctl init
new_work --capability email:send --capability email:read
run workctl claim "$id" --capability email:send
refused 7 'email:read'
run workctl claim --next --capability email:send
exits 8
run workctl claim --next --capability email:read --capability email:send --capability more -o id
exits 0
out_is "$id"

session 'work is not taken before its time'
quietly workctl init
new_work --not-before 2027-01-15T08:00:00Z --now 2027-01-15T07:00:00Z
run workctl claim "$id" --now 2027-01-15T07:59:59Z
refused 8 '2027-01-15T08:00:00Z'
run workctl claim --next --now 2027-01-15T07:59:59Z
exits 8
run workctl claim "$id" --now 2027-01-15T08:00:00Z -o id
exits 0
out_is "$id"

session 'work that waits for other work is not taken, unless told to'
quietly workctl init
new_work --key first
first=$id
new_work --key second --after "$first"
run workctl claim "$id"
refused 8 "$first"
err_has '--ignore-dependencies'
run workctl claim --next -o id
exits 0
out_is "$first"
run workctl claim --next
exits 8
run workctl claim "$id" --ignore-dependencies -o id
exits 0
out_is "$id"

session 'a dependency that is met does not hold work back'
quietly workctl init
new_work --key first
first=$id
new_work --key second --after "$first=cancelled"
quietly workctl cancel "$first"
run workctl claim "$id" -o id
exits 0
out_is "$id"

# worn_work KEY: READY work whose attempts are used up, as only another program's request makes it.
worn_work() {
  new_work --key "$1"
  workctl show "$id" -o jsonl | jq -c --arg key "$1-worn" '{op: "admit", args: {input:
    (with_entries(select(.key | IN("tenant_id", "application_id", "environment", "definition_id",
      "definition_revision", "trigger", "input", "requested_by", "authorization_snapshot",
      "capability_snapshot", "created_at")))
    + {idempotency_key: $key, priority: 9, retry_policy:
        {max_attempts: 0, initial_delay_ms: 0, max_delay_ms: 0, backoff: "fixed", retry_on: []}})}}' \
    >admit.jsonl
  quietly workctl batch <admit.jsonl
  worn=$(jq -r .ok.workload_id "$sessions_directory/out")
}

session 'work without attempts left is dead-lettered by the first claim'
quietly workctl init
worn_work k
run workctl claim "$worn"
refused 5 "$worn"
run workctl show "$worn" -o jsonl
json .state DEAD_LETTER

session 'the next in turn is taken when the first has no attempts left'
quietly workctl init
worn_work k
run workctl claim --next -o id
exits 0
out_is "$id"
err_has "$worn"
run workctl show "$worn" -o jsonl
json .state DEAD_LETTER

session 'nothing else is left when the first has no attempts left'
quietly workctl init
worn_work k
quietly workctl cancel "$id"
run workctl claim --next -o id
exits 8
out_empty
run workctl show "$worn" -o jsonl
json .state DEAD_LETTER

session 'ID or --next, and not both'
quietly workctl init
run workctl claim
refused 2 '--next'
new_work
run workctl claim "$id" --next
refused 2 'not both'
run workctl claim --next --if-version 1
refused 2 '--if-version'
run workctl claim "$id" --tenant default
refused 2 '--tenant goes with --next only'

session 'an unknown workload'
quietly workctl init
run workctl claim workload_nobody
refused 3 'workload_nobody'

session 'a lease under one second is refused'
quietly workctl init
new_work
before=$(log_digest)
for lease in 999ms 0 0s; do
  run workctl claim "$id" --lease "$lease"
  refused 2 'must be at least 1s'
done
run workctl claim "$id" --lease 60
refused 2 'unit is missing'
run workctl claim "$id" --lease -5s
exits 2
unchanged "$before"
run workctl claim "$id" --lease 1s
exits 0

session 'only in the version that was seen'
quietly workctl init
new_work
run workctl claim "$id" --if-version 2
refused 4 "$id"
run workctl claim "$id" --if-version 1 -o json
exits 0
json .ok.workload_id "$id"
