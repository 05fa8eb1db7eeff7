#!/bin/sh
# Real processes after one thing: exactly one gets it, the others are told the right thing, and nothing is
# lost. WORKCTL_RACE_ROUNDS sets how often two race for each thing (default 10); crowds do a fifth as often.
. "${0%/*}/racing.sh"

# look_at ID: its document, for `json`.
look_at() {
  run workctl show "$1" -o jsonl
  exits 0
}

claims_it() { workctl claim "$id" --worker "w$1" -o json; }
one_claim() {
  new_work
  race "$1" claims_it
  finished 0:1 "5:$(($1 - 1))"
  same 'who holds it' "w$(winner)" "$(jq -r .ok.worker_id "racer.$(winner).out")"
  look_at "$id"
  json .fencing_token 1
  json .attempt_count 1
}

takes_next() { workctl claim --next --worker "w$1" -o id; }
one_ready() {
  new_work
  race "$1" takes_next
  finished 0:1 "8:$(($1 - 1))"
  look_at "$id"
  json .fencing_token 1
}

all_ready() {
  for number in $(seq "$1"); do
    new_work --key "$number"
  done
  race "$1" takes_next
  finished "0:$1"
  same 'distinct workloads claimed' "$1" "$(sort -u racer.*.out | wc -l)"
}

creates_the_same() { workctl create --definition race --key k --input '{"n":1}' -o json; }
one_key() {
  race "$1" creates_the_same
  finished "0:$1"
  same 'processes that created it' 1 "$(jq -s 'map(select(.ok.created)) | length' racer.*.out)"
  same 'workloads answered' 1 "$(jq -r .ok.workload_id racer.*.out | sort -u | wc -l)"
  run workctl list -o id
  same 'workloads stored' 1 "$(output | wc -l)"
}

creates_another() { workctl create --definition race --key k --input "{\"n\":$1}" -o json; }
one_key_of_many() {
  race "$1" creates_another
  finished 0:1 "4:$(($1 - 1))"
  look_at "$(jq -r .ok.workload_id "racer.$(winner).out")"
  json .input.n "$(winner)"
}

creates_its_own() { workctl create --definition race --key "k$1" -o id; }
many_keys() {
  race "$1" creates_its_own
  finished "0:$1"
  same 'distinct workloads' "$1" "$(sort -u racer.*.out | wc -l)"
  run workctl list -o id
  same 'workloads stored' "$(sort racer.*.out)" "$(output | sort)"
}

recovers() { workctl recover --now +2h -o id; }
one_recovery() {
  new_work
  quietly workctl claim "$id" --worker w --lease 60s
  race "$1" recovers
  finished "0:$1"
  same 'processes that recovered it' "$id" "$(cat racer.*.out)"
  look_at "$id"
  json .state READY
  json '[.execution_history[] | select(.event_type == "workload.recovered")] | length' 1
}

completes() { workctl complete --result-id "result-$1" --output "$1" -o json; }
one_completion() {
  new_work
  take
  quietly workctl start
  race "$1" completes
  forget_variables
  finished 0:1 "6:$(($1 - 1))"
  look_at "$id"
  json .state SUCCEEDED
  json .result.output "$(winner)"
}

completes_the_same() { workctl complete --result-id result --output 7 -o json; }
one_completion_repeated() {
  new_work
  take
  quietly workctl start
  race "$1" completes_the_same
  forget_variables
  finished "0:$1"
  look_at "$id"
  json '[.execution_history[] | select(.event_type == "workload.completed")] | length' 1
}

re_arms() { workctl retry "$id" --actor human:operator; }
one_re_arm() {
  new_work --max-attempts 1
  take
  quietly workctl start
  quietly workctl fail
  forget_variables
  race "$1" re_arms
  finished 0:1 "5:$(($1 - 1))"
}

cancels() { workctl cancel "$id" --if-version 1; }
one_version() {
  new_work
  race "$1" cancels
  finished 0:1 "4:$(($1 - 1))"
}

# At the beginning: a session forgets all variables.
pairs=${WORKCTL_RACE_ROUNDS:-10}
crowds=$(((pairs + 4) / 5))

for race in one_claim one_ready all_ready one_key one_key_of_many many_keys one_recovery one_completion \
  one_completion_repeated one_re_arm one_version; do
  rounds "$pairs" 2 "$race"
  rounds "$crowds" 20 "$race"
done

session 'one store by 20'
makes_store() { workctl init -o json; }
race 20 makes_store
finished 0:20
same 'processes that made it' 1 "$(jq -s 'map(select(.ok.created)) | length' racer.*.out)"
same 'stores' 1 "$(jq -r .ok.store_id racer.*.out | sort -u | wc -l)"
run workctl verify
exits 0
run workctl create --definition d
exits 0

echo "$race_count races"
