#!/bin/sh
# workctl timeout
. "${0%/*}/harness.sh"

session 'work that took too long is taken from its worker and tried again'
quietly workctl init
new_work --initial-delay 30s --now 1800000000
take --worker w1 --now 1800000000
quietly workctl start --now 1800000000
run workctl timeout "$id" --now 1800000005 -o json
exits 0
json .ok.state READY
json .ok.next_attempt_at 1800000035
run workctl complete --now 1800000006
refused 6 "$id"
run workctl show -o jsonl
json '.attempts[0].status' TIMED_OUT

session 'without attempts left it goes to the dead letters'
quietly workctl init
new_work --max-attempts 1
take
run workctl timeout "$id"
exits 0
out_is "$id is DEAD_LETTER"

session 'a policy that does not name timeout'
quietly workctl init
new_work --retry-on worker_failure
run workctl timeout "$id"
exits 0
out_is "$id is DEAD_LETTER"

session 'what is over does not time out'
quietly workctl init
new_work
quietly workctl cancel "$id"
run workctl timeout "$id"
refused 5 "$id"
