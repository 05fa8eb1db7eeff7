#!/bin/sh
# workctl start, and with it the fence that every command of a worker shows.
. "${0%/*}/harness.sh"

session 'claimed work is started'
quietly workctl init
new_work
take --worker w1
run workctl start
exits 0
out_is "$id is RUNNING"
err_empty
run workctl start
refused 5 "$id"

session 'claim, worker and token come from options too'
quietly workctl init
new_work
quietly workctl claim "$id" --worker w1 -o json
claim=$(jq -r .ok.claim_id "$sessions_directory/out")
run workctl start "$id" --claim "$claim" --worker w1 --token 1 -o json
exits 0
json .ok.state RUNNING
json .ok.__version 3

session 'each part of the fence counts'
quietly workctl init
new_work
take --worker w1
before=$(log_digest)
run workctl start --claim claim_00000000000000000000
refused 6 "$id"
run workctl start --worker w2
refused 6 "$id"
run workctl start --token 2
refused 6 "$id"
unchanged "$before"

session 'a lease that ran out ends the claim'
quietly workctl init
new_work
take --lease 10s --now 1800000000
run workctl start --now 1800000010
refused 6 '2027-01-15T08:00:10Z'
run workctl start --now 1800000009
exits 0

session 'work that nobody holds'
quietly workctl init
new_work
run workctl start "$id" --claim claim_00000000000000000000 --worker w1 --token 1
refused 6 "$id"

session 'what is missing is named'
quietly workctl init
new_work
run workctl start
refused 2 'ID'
run workctl start "$id"
refused 2 '--claim'
err_has WORKCTL_CLAIM
run workctl start "$id" --claim c
refused 2 '--token'
run workctl start "$id" --claim c --token x
refused 2 '"x"'
run workctl start "$id" --claim c --token -1
refused 2 '--token'
run workctl start workload_nobody --claim c --token 1
refused 3 'workload_nobody'

session 'only in the version that was seen'
quietly workctl init
new_work
take
run workctl start --if-version 1
refused 4 "$id"
run workctl start --if-version 2
exits 0
