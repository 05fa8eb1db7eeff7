#!/bin/sh
# workctl cancel and confirm-cancel
. "${0%/*}/harness.sh"

session 'work that nobody holds is cancelled at once'
quietly workctl init
new_work
run workctl cancel "$id" --actor human:ada -o json
exits 0
json .ok.state CANCELLED
run workctl show "$id" -o jsonl
json '.execution_history[-1].actor' human:ada

session 'what is cancelled stays cancelled'
quietly workctl init
new_work
quietly workctl cancel "$id"
before=$(log_digest)
run workctl cancel "$id"
refused 5 "$id"
unchanged "$before"

session 'the worker that holds it is asked, and confirms'
quietly workctl init
new_work
take
quietly workctl start
run workctl cancel "$id"
exits 0
out_has "$id is CANCELLATION_REQUESTED"
run workctl cancel "$id"
exits 0
run workctl complete
refused 5 "$id"
run workctl confirm-cancel
exits 0
out_is "$id is CANCELLED"

session 'nothing to confirm'
quietly workctl init
new_work
take
quietly workctl start
run workctl confirm-cancel
refused 5 "$id"

session 'only the holder confirms'
quietly workctl init
new_work
take
quietly workctl cancel "$id"
run workctl confirm-cancel --worker somebody-else
refused 6 "$id"

session 'a lost worker need not confirm'
quietly workctl init
new_work
take --lease 10s
quietly workctl cancel "$id"
run workctl recover --now +20s
exits 0
out_has "$id is CANCELLED"

session 'an unknown workload'
quietly workctl init
run workctl cancel workload_nobody
refused 3 workload_nobody

session 'only in the version that was seen'
quietly workctl init
new_work
run workctl cancel "$id" --if-version 7
refused 4 "$id"
run workctl cancel "$id" --if-version 1
exits 0
