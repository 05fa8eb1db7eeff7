#!/bin/sh
# workctl recover
. "${0%/*}/harness.sh"

session 'the work of a lost worker is taken back'
quietly workctl init
new_work
take --worker w1 --lease 10s --now 1800000000
quietly workctl start --now 1800000001
run workctl recover --now 1800000009
exits 0
out_is '0 workloads recovered'
run workctl recover --now 1800000010 -o json
exits 0
json .ok.recovered 1
json '.ok.items[0].workload_id' "$id"
json '.ok.items[0].state' READY
run workctl show -o jsonl
json '.attempts[0].status' WORKER_LOST
json .current_claim null
json '.execution_history[-1].actor' workctl.recovery

session 'nothing lost changes nothing'
quietly workctl init
new_work
take
before=$(log_digest)
run workctl recover -o id
exits 0
out_empty
unchanged "$before"

session 'all that is lost, in the order of their ids, whoever they belong to'
quietly workctl init
for tenant in a b c; do
  new_work --tenant "$tenant" --key k --now 1800000000
  take --lease 10s --now 1800000000
done
forget_variables
run workctl recover --now 1800000010 -o id
exits 0
same 'the order' "$(output | sort)" "$(output)"
same 'how many' 3 "$(output | wc -l)"

session 'without attempts left it goes to the dead letters'
quietly workctl init
new_work --max-attempts 1
take --lease 10s
run workctl recover --now +20s
exits 0
out_has "$id is DEAD_LETTER"
out_has '1 workload recovered'

session 'a policy that does not name worker_failure'
quietly workctl init
new_work --retry-on timeout
take --lease 10s
run workctl recover --now +20s
exits 0
out_has "$id is DEAD_LETTER"

session 'more lost work than one line of the log should hold is recovered all the same'
quietly workctl init
for number in $(seq 1200); do
  printf '{"idempotency_key":"%d"}\n' "$number"
done >requests.jsonl
quietly workctl create --definition send-mail --batch requests.jsonl --now 1800000000
for number in $(seq 1200); do
  printf '{"op":"claim_next","args":{"tenant":"default","application":"default","worker":"w",'
  printf '"capabilities":[],"now":1800000000,"lease_ms":10000}}\n'
done >claims.jsonl
run_with "$(cat claims.jsonl)" workctl batch --sync-every 1200
exits 0
before=$(wc -l <"$XDG_STATE_HOME/workctl/work.jsonl")
run workctl recover --now 1800000010 -o id
exits 0
same 'how many' 1200 "$(output | wc -l)"
same 'in more than one commit' yes \
  "$([ "$(wc -l <"$XDG_STATE_HOME/workctl/work.jsonl")" -gt $((before + 1)) ] && echo yes)"
run workctl verify
exits 0
