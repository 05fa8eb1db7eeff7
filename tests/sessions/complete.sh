#!/bin/sh
# workctl complete
. "${0%/*}/harness.sh"

running() {
  quietly workctl init
  new_work
  take --worker w1
  quietly workctl start
}

session 'work is done, with what came of it'
running
run workctl complete --output '{"sent": 1}' --artifact mail/7 --artifact mail/8 --schema-version 2 \
  --result-id r1 -o json
exits 0
json .ok.result_id r1
json .ok.status succeeded
json .ok.output '{"sent":1}'
json '.ok.artifacts | join(" ")' 'mail/7 mail/8'
json .ok.schema_version 2
run workctl show -o jsonl
json .state SUCCEEDED
json .current_claim null
json '.attempts[0].status' SUCCEEDED

session 'saying it twice is answered from what was recorded'
running
quietly workctl complete --output 1
before=$(log_digest)
run workctl complete --output 1 -o jsonl
exits 0
err_empty
json .output 1
run workctl complete --output 2 -o jsonl
exits 0
json .output 1
err_has 'recorded before, with another output'
unchanged "$before"

session 'output is null where none is given'
running
run workctl complete -o jsonl
exits 0
json .output null

session 'output from a file and from standard input'
running
echo '[1, 2]' >out.json
run workctl complete --output @out.json -o jsonl
exits 0
json .output '[1,2]'
running_again() {
  new_work --key again
  take
  quietly workctl start
}
running_again
run_with '"text"' workctl complete --output @- -o jsonl
exits 0
json .output text

session 'a result id belongs to one workload'
running
quietly workctl complete --result-id r1
new_work --key other
take
quietly workctl start
before=$(log_digest)
run workctl complete --result-id r1
refused 4 r1
unchanged "$before"

session 'not before the start'
quietly workctl init
new_work
take
run workctl complete
refused 5 "$id"

session 'a lost worker does not complete'
quietly workctl init
new_work
take --worker w1 --lease 10s --now 1800000000
quietly workctl start --now 1800000000
quietly workctl recover --now 1800000010
before=$(log_digest)
run workctl complete --now 1800000011
refused 6 "$id"
quietly workctl claim "$id" --worker w2 --now 1800000012
run workctl complete --now 1800000013
refused 6 "$id"
run workctl show -o jsonl
json .result null

session 'output that holds a secret is refused'
running
run workctl complete --output '{"api_key": null}'
refused 7 'api_key'

session 'output is JSON'
running
run workctl complete --output 'sent one mail'
refused 2 '--output'
