#!/bin/sh
# workctl fail
. "${0%/*}/harness.sh"

running() {
  quietly workctl init
  new_work --now 1800000000 "$@"
  take --worker w1 --now 1800000000
  quietly workctl start --now 1800000000
}

session 'a failure that the policy names is tried again, after a delay that doubles'
running --max-attempts 3 --initial-delay 10s
run workctl fail --error 'mail server said 451' --now 1800000001 -o json
exits 0
json .ok.state READY
json .ok.next_attempt_at 1800000011
take --worker w1 --now 1800000011
quietly workctl start --now 1800000011
run workctl fail --now 1800000011
exits 0
out_is "$id is READY, not before 2027-01-15T08:00:31Z"
run workctl show -o jsonl
json .last_failure 'worker_failure: unspecified'
json '.attempts | map(.error) | join(",")' 'mail server said 451,unspecified'
json .retry_count 2

session 'the last attempt goes to the dead letters'
running --max-attempts 1
run workctl fail --now 1800000001
exits 0
out_is "$id is DEAD_LETTER"

session 'a failure that the policy does not name goes to the dead letters'
running
run workctl fail --kind bad_input --error 'no such address' --now 1800000001
exits 0
out_is "$id is DEAD_LETTER"
run workctl show -o jsonl
json .last_failure 'bad_input: no such address'

session 'the error comes from a file'
running
printf 'first line\nsecond line\n' >stderr.txt
run workctl fail --error @stderr.txt --now 1800000001
exits 0
run workctl show -o jsonl
json '.attempts[0].error | startswith("first line\nsecond line")' true

session 'an error text that looks secret is refused'
running
before=$(log_digest)
run workctl fail --error 'sk-12345' --now 1800000001
refused 7 'looks like a secret'
unchanged "$before"

session 'only the holder fails it'
running
run workctl fail --token 2 --now 1800000001
refused 6 "$id"
