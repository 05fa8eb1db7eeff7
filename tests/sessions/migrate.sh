#!/bin/sh
# workctl migrate: work of the reference implementation's state file.
. "${0%/*}/harness.sh"

# The state file that holds the work `id` of this store, in the form of the reference implementation.
legacy_file() {
  workctl show "$id" -o jsonl | jq '{
    workloads: {(.workload_id): del(.__version)},
    idempotency: {"\(.tenant_id):\(.application_id):\(.idempotency_key)": .workload_id},
    result_ids: (if .result == null then {} else {(.result.result_id): .workload_id} end),
    event_sequence: ([.execution_history[].sequence] | max)}'
}

old_store() {
  quietly workctl --store old init
  WORKCTL_STORE=old
  export WORKCTL_STORE
  new_work --key k
  take
  quietly workctl start
  quietly workctl complete --result-id r1 --output 7
  legacy_file >legacy.json
  forget_variables
}

session 'work is taken over whole'
old_store
quietly workctl init
before_file=$(sha256sum <legacy.json)
run workctl migrate legacy.json -o json
exits 0
json .ok.imported 1
json .ok.skipped 0
same 'the file' "$before_file" "$(sha256sum <legacy.json)"
run workctl show "$id" -o jsonl
json .state SUCCEEDED
json .result.output 7
json .__version 1

session 'running it again changes nothing'
old_store
quietly workctl init
quietly workctl migrate legacy.json
before=$(log_digest)
run workctl migrate legacy.json
exits 0
out_has '0 workloads imported, 1 skipped'
unchanged "$before"

session 'from standard input'
old_store
quietly workctl init
run_with "$(cat legacy.json)" workctl migrate - -o id
exits 0
out_is "$id"

session 'work that is stored already and differs'
old_store
quietly workctl init
quietly workctl migrate legacy.json
jq '.workloads[].priority = 9' legacy.json >changed.json
before=$(log_digest)
run workctl migrate changed.json
refused 4 "$id"
unchanged "$before"

session 'a result id that belongs to other work'
old_store
quietly workctl init
new_work --key other
other=$id
take
quietly workctl start
quietly workctl complete --result-id r1
forget_variables
before=$(log_digest)
run workctl migrate legacy.json
refused 4 "$other"
unchanged "$before"
same 'the other work' "$other" "$(workctl list -o id)"

session 'entries that contradict each other'
old_store
quietly workctl init
before=$(log_digest)
for change in '.idempotency = {}' '.result_ids = {"r2": .result_ids.r1}' '.event_sequence += 1' \
  '.workloads |= with_entries(.key = "workload_other")'; do
  jq "$change" legacy.json >changed.json
  run workctl migrate changed.json
  refused 4 changed.json
done
unchanged "$before"

session 'a broken entry is named'
old_store
quietly workctl init
before=$(log_digest)
jq '.workloads[].state = "DONE"' legacy.json >changed.json
run workctl migrate changed.json
refused 2 "$id"
err_has state
jq '.workloads[] |= del(.tenant_id)' legacy.json >changed.json
run workctl migrate changed.json
refused 2 "$id"
err_has tenant_id
unchanged "$before"

session 'a file that is none'
quietly workctl init
before=$(log_digest)
run workctl migrate nowhere.json
refused 2 nowhere.json
echo '{"workloads":' >broken.json
run workctl migrate broken.json
refused 2 broken.json
err_has 'line'
echo '[]' >broken.json
run workctl migrate broken.json
refused 2 broken.json
run workctl migrate
refused 2 FILE
unchanged "$before"
