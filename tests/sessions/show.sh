#!/bin/sh
# workctl show
. "${0%/*}/harness.sh"

session 'all that is known, for people'
quietly workctl init
new_work --key k --input '{"to": "a"}' --now 1800000000
take --worker w1 --now 1800000001
quietly workctl start --now 1800000002
quietly workctl checkpoint --state '{"half": true}' --now 1800000003
run workctl show --now 1800000004
exits 0
err_empty
out_has "$id"
out_has CHECKPOINTED
out_has '{"to":"a"}'
out_has '{"half":true}'
out_has 'w1 until 2027-01-15T08:01:01Z'
out_has '2027-01-15T08:00:02Z'

session 'the whole document, for programs'
quietly workctl init
new_work --key k
run workctl show "$id" -o json
exits 0
json .ok.workload_id "$id"
json .ok.__version 1
json .ok.contract_version 1
run workctl show "$id" -o jsonl
json .workload_id "$id"

session 'showing changes nothing'
quietly workctl init
new_work
before=$(log_digest)
quietly workctl show "$id"
unchanged "$before"

session 'an unknown workload'
quietly workctl init
run workctl show workload_nobody
refused 3 workload_nobody
run workctl show
refused 2 ID
err_has WORKCTL_WORKLOAD
