#!/bin/sh
# workctl context
. "${0%/*}/harness.sh"

session 'what the holder of a claim may do'
quietly workctl init
new_work --capability email:send
take --worker w1 --lease 10s --now 1800000000 --capability email:send --capability spare
before=$(log_digest)
run workctl context --secret-reference secret://mail/account --now 1800000001 -o jsonl
exits 0
json .workload_id "$id"
json .attempt_id "attempt_${id}_1"
json .worker_id w1
json .fencing_token 1
json .expires_at 1800000010
json '.capabilities | join(" ")' email:send
json '.secret_references | join(" ")' secret://mail/account
unchanged "$before"

session 'a secret itself is refused'
quietly workctl init
new_work
take
run workctl context --secret-reference hunter2
refused 7 'secret://'

session 'only for the holder'
quietly workctl init
new_work
take --lease 10s --now 1800000000
run workctl context --token 9 --now 1800000001
refused 6 "$id"
run workctl context --now 1800000010
refused 6 "$id"
