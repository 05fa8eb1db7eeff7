#!/bin/sh
# workctl heartbeat
. "${0%/*}/harness.sh"

session 'a heartbeat makes the lease last longer, from now on'
quietly workctl init
new_work
take --worker w1 --lease 10s --now 1800000000
run workctl heartbeat --lease 1m --now 1800000005 -o json
exits 0
json .ok.expires_at 1800000065
json .ok.last_heartbeat 1800000005
json .ok.fencing_token 1
run workctl heartbeat --lease 5s --now 1800000064 -o jsonl
exits 0
json .expires_at 1800000069

session 'a heartbeat is no event'
quietly workctl init
new_work
take
quietly workctl heartbeat
run workctl show -o jsonl
json '.execution_history | length' 2
json .state CLAIMED

session 'too late'
quietly workctl init
new_work
take --lease 10s --now 1800000000
before=$(log_digest)
run workctl heartbeat --now 1800000010
refused 6 "$id"
unchanged "$before"

session 'after a successor'
quietly workctl init
new_work
take --worker w1 --lease 10s --now 1800000000
quietly workctl recover --now 1800000010
quietly workctl claim "$id" --worker w2 --now 1800000011
run workctl heartbeat --now 1800000012
refused 6 "$id"

session 'work whose cancellation was requested is kept until its worker confirms'
quietly workctl init
new_work
take
quietly workctl start
quietly workctl cancel
run workctl heartbeat
exits 0

session 'a lease under one second is refused'
quietly workctl init
new_work
take
run workctl heartbeat --lease 1ms
refused 2 'must be at least 1s'
