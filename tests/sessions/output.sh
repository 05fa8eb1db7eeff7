#!/bin/sh
# The forms of an answer: text, json, jsonl, id, env.
. "${0%/*}/harness.sh"

session 'json is one line in an envelope with a version'
quietly workctl init
run workctl create --definition d -o json
exits 0
same 'lines' 1 "$(output | wc -l)"
json 'keys | join(" ")' 'command ok workctl'
json .workctl 1
json .command create

session 'an error is an object on standard error'
quietly workctl init
run workctl show workload_nobody -o json
exits 3
out_empty
same 'code' WORKLOAD_NOT_FOUND "$(jq -r .error.code "$sessions_directory/err")"
same 'exit' 3 "$(jq -r .error.exit "$sessions_directory/err")"
same 'workload' workload_nobody "$(jq -r .error.workload_id "$sessions_directory/err")"
run workctl start --bogus -o json
exits 2
same 'code' INVALID_INPUT "$(jq -r .error.code "$sessions_directory/err")"
run workctl list -o json --store nowhere
exits 3
same 'code' WORKLOAD_STORAGE_FAILURE "$(jq -r .error.code "$sessions_directory/err")"
same 'cause' STORE_NOT_FOUND "$(jq -r .error.cause "$sessions_directory/err")"

session 'ids are bare, one a line'
quietly workctl init
run workctl create --definition d -o id
exits 0
out_matches '^workload_[0-9a-f]{24}$'
same 'lines' 1 "$(output | wc -l)"

session 'a form that makes no sense for a command is refused'
quietly workctl init
new_work
for line in 'verify -o id' 'init -o id'; do
  # shellcheck disable=SC2086  # words of a command line
  run workctl $line
  refused 2 'it prints'
done
run workctl list -o env
exits 2
err_has 'it prints text, json, jsonl, id'
out_has '(exit 2)'
run workctl list -o yaml
refused 2 yaml

session 'text never drives a terminal'
quietly workctl init
escape=$(printf '\033]0;owned\007')
new_work --tenant "$escape" --input "\"\\u001b[31m\""
run workctl list --tenant "$escape"
exits 0
same 'escapes' 0 "$(grep -c "$(printf '\033')" "$sessions_directory/out")"
run workctl show "$id"
exits 0
same 'escapes' 0 "$(grep -c "$(printf '\033')" "$sessions_directory/out")"
run workctl claim "$escape"
exits 3
same 'escapes' 0 "$(grep -c "$(printf '\033')" "$sessions_directory/err")"

session 'colour only where it is asked for'
quietly workctl init
new_work
quietly workctl cancel "$id"
run workctl list --color never
same 'escapes' 0 "$(grep -c "$(printf '\033')" "$sessions_directory/out")"
run workctl list --color always
same 'colour' yes "$(grep -q "$(printf '\033')" "$sessions_directory/out" && echo yes)"
run workctl list
same 'escapes' 0 "$(grep -c "$(printf '\033')" "$sessions_directory/out")"

session 'an answer that cannot be written is a failure'
quietly workctl init
[ -w /dev/full ] || skip 'no /dev/full here'
command_line='workctl create >/dev/full'
status=0
workctl create --definition d >/dev/full 2>"$sessions_directory/err" || status=$?
exits 11
err_has 'standard output'

session 'streams that are closed: the store takes no harm'
quietly workctl init
command_line='workctl create with closed streams'
status=0
workctl create --definition d <&- >&- 2>"$sessions_directory/err" || status=$?
exits 11
err_has 'standard output'
status=0
workctl create --definition d <&- >&- 2>&- || status=$?
exits 11
status=0
workctl create --definition d -o id >"$sessions_directory/out" 2>&- || status=$?
exits 0
run workctl verify -o json
exits 0
json .ok.end clean

session 'a reader that leaves early'
quietly workctl init
for key in 1 2 3; do
  new_work --key "$key"
done
# shellcheck disable=SC2016  # expanded by the inner shell
run sh -c '{ workctl list --color never; echo $? >code; } | :'
exits 0
same 'the exit code' yes "$(grep -qxE '0|141' code && echo yes)"

session 'quiet leaves notices out, not errors'
quietly workctl init
run workctl claim --next --quiet
exits 8
err_empty
run workctl claim workload_nobody -q
exits 3
err_has workload_nobody
