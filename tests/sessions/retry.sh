#!/bin/sh
# workctl retry: an operator's re-arm
. "${0%/*}/harness.sh"

dead_letter() {
  quietly workctl init
  new_work --max-attempts 1 --now 1800000000
  use_up
}
use_up() {
  take --worker w1 --now 1800000000
  quietly workctl start --now 1800000000
  quietly workctl fail --now 1800000000
  forget_variables
}

session 'dead-lettered work is given one more attempt'
dead_letter
run workctl retry "$id" --reason 'mail server is back' --actor human:ada --now 1800000100 -o json
exits 0
json .ok.state READY
json .ok.next_attempt_at 1800000100
run workctl show "$id" -o jsonl
json '.execution_history[-1].actor' human:ada
json '.execution_history[-1].evidence.reason' 'mail server is back'
json '.execution_history[-1].evidence.operator_retry' 1
run workctl claim "$id" --now 1800000100
exits 0

session 'as often as it has attempts, and no more'
dead_letter
quietly workctl retry "$id" --now 1800000000
use_up
before=$(log_digest)
run workctl retry "$id" --now 1800000000
refused 5 "$id"
unchanged "$before"

session 'a reason is cut to 256 characters, not bytes'
dead_letter
reason=$(yes 'ü' | head -n 300 | tr -d '\n')
run workctl retry "$id" --reason "$reason" --now 1800000000
exits 0
run workctl show "$id" -o jsonl
json '.execution_history[-1].evidence.reason | length' 256

session 'work that has not failed is not re-armed'
quietly workctl init
new_work
run workctl retry "$id"
refused 5 "$id"

session 'an unknown workload'
quietly workctl init
run workctl retry workload_nobody
refused 3 workload_nobody

session 'only in the version that was seen'
dead_letter
run workctl retry "$id" --if-version 1
refused 4 "$id"
