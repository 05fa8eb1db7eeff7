#!/bin/sh
# workctl verify, and what a damaged log does to the other commands.
. "${0%/*}/harness.sh"

stored() {
  quietly workctl init
  new_work --key 1
  new_work --key 2
  log=$XDG_STATE_HOME/workctl/work.jsonl
}

session 'a sound log'
stored
run workctl verify -o json
exits 0
err_empty
json .ok.sound true
json .ok.end clean
json .ok.lines "$(wc -l <"$log")"
json .ok.bytes "$(wc -c <"$log")"
json .ok.head "$(tail -n 1 "$log" | jq -r .digest)"
run workctl verify
exits 0
out_has 'verify'
run workctl verify --replay -o json
exits 0
json .ok.index.sound true
run workctl verify --replay --no-index -o json
exits 0
json .ok.index null

session 'the head that was noted shows a cut end'
stored
quietly workctl verify -o jsonl
head=$(jq -r .head "$sessions_directory/out")
run workctl verify --expect-head "$head"
exits 0
new_work --key 3
run workctl verify --expect-head "$head"
exits 10
out_has "not at the expected $head"

session 'a changed byte is named, and stops every writer'
stored
sed -i '3s/send-mail/send-male/' "$log"
before=$(log_digest)
run workctl verify -o json
exits 10
json .ok.sound false
json .ok.bad_line 3
json '.ok.problem | test("^line 3 ")' true
for line in 'create --definition d' 'recover' 'claim --next'; do
  # shellcheck disable=SC2086  # words of a command line
  run workctl $line
  refused 10 'line 3'
done
unchanged "$before"

session 'a lost line is named'
stored
sed -i 2d "$log"
run workctl verify
exits 10
out_has 'line 2'

session 'an end that is lost stops writers'
stored
truncate -s -500 "$log"
before=$(log_digest)
run workctl create --definition d
exits 10
out_empty
unchanged "$before"
run workctl verify
exits 10

session 'a line that was never finished is set aside, and said'
stored
printf '{"commits":[{"revision":' >>"$log"
run workctl verify -o json
exits 0
json .ok.end unfinished
run workctl list -o id
exits 0
same 'work' 2 "$(output | wc -l)"
run workctl create --definition d --key 3 -o id
exits 0
err_has 'archive'
run workctl verify -o json
json .ok.end clean
same 'kept aside' 1 "$(find "$XDG_STATE_HOME/workctl/archive" -type f | wc -l)"

session 'a log of a newer format is left alone'
stored
sed -i '1s/"workctl_log":1/"workctl_log":9/' "$log"
before=$(log_digest)
run workctl create --definition d
same 'a refusal' yes "$([ "$status" -eq 12 ] || [ "$status" -eq 10 ] && echo yes)"
unchanged "$before"

session 'a copy of the log is a store'
stored
mkdir -m 700 copy
cp "$log" copy/
run workctl --store copy list -o id
exits 0
same 'work' 2 "$(output | wc -l)"
run workctl --store copy verify
exits 0
run workctl --store copy cancel "$id"
exits 0
