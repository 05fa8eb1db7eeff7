#!/bin/sh
# workctl repair: what a person can do about a damaged log.
. "${0%/*}/harness.sh"

# Five pieces of work, and a byte changed in line 4, which made the second.
damaged() {
  quietly workctl init
  for number in 1 2 3 4 5; do
    new_work --key "$number"
  done
  log=$XDG_STATE_HOME/workctl/work.jsonl
  sed '4s/send-mail/send-male/' "$log" >damaged
  cat damaged >"$log"
}

session 'a sound store has nothing to repair'
quietly workctl init
new_work
before=$(log_digest)
for options in '' --drop-tail; do
  # shellcheck disable=SC2086  # no word, or one
  run workctl repair $options
  exits 0
  out_has 'There is nothing to repair.'
done
unchanged "$before"
run workctl --store nowhere repair
refused 3 'there is no store in nowhere'

session 'without being told what to do it explains, and changes nothing'
damaged
before=$(log_digest)
run workctl repair
exits 10
out_has 'NOT sound: line 4 '
out_has 'Nothing was changed.'
out_has 'after revision 3, which may have been acknowledged'
# What was read before is not read again by each command, but after a restart of the machine, when the index
# is not trusted.
rm -r "$XDG_STATE_HOME/workctl/index"
run workctl list
exits 10
err_has 'repair'
unchanged "$before"
[ ! -e "$XDG_STATE_HOME/workctl/archive" ] || failed 'archive/ was made'

session 'salvage takes out what is whole and says what is missing'
damaged
before=$(log_digest)
run workctl repair --salvage out -o json
exits 10
json .ok.salvaged.lines 6
json .ok.salvaged.gaps 1
json .ok.dropped null
unchanged "$before"
same 'the lines' "$(sed 4d "$log")" "$(cat out/lines.jsonl)"
same 'the gap' '4 3 5' \
  "$(jq -r '"\(.line) \(.after_revision) \(.before_revision)"' out/missing.jsonl)"
run workctl repair --salvage out
refused 2 'out/lines.jsonl is there already'

session 'the end is given up on request, and the damaged log is kept'
damaged
run workctl repair --drop-tail --actor human:ada -o json
exits 0
json .ok.found.bad_line 4
json .ok.dropped.after_revision 3
json .ok.dropped.repair_revision 4
kept=$(jq -r .ok.dropped.kept_as "$sessions_directory/out")
same 'the damaged log' "$(cat damaged)" "$(cat "$XDG_STATE_HOME/workctl/$kept")"
same 'who did it' human:ada "$(tail -n 1 "$log" | jq -r '.commits[0].audit[0].subject')"
run workctl list -o id
exits 0
same 'work that is left' 1 "$(output | wc -l)"
run workctl create --definition send-mail --key 2
exits 0
run workctl verify --replay
exits 0
err_empty

session 'both at once: first what is whole is taken out'
damaged
run workctl repair --salvage out --drop-tail
exits 0
out_has '6 lines in'
out_has 'gave up'

session 'a log that lost its end is taken as it is'
damaged
truncate -s 2500 "$log"
run workctl repair
exits 10
run workctl repair --drop-tail
exits 0
run workctl verify
exits 0

session 'a log of a newer format is left alone'
quietly workctl init
log=$XDG_STATE_HOME/workctl/work.jsonl
body='{"workctl_log":9,"store":"s","generation":1,"created_at":1,"previous":null'
printf '%s,"digest":"%s"}\n' "$body" \
  "$(printf '%064d%s' 0 "$body" | sha256sum | cut -d ' ' -f 1)" >"$log"
before=$(log_digest)
for options in '' --drop-tail '--salvage out'; do
  # shellcheck disable=SC2086  # no word, one or two
  run workctl repair $options
  exits 12
done
unchanged "$before"

session 'a commit whose documents do not follow is found by --replay'
quietly workctl init
log=$XDG_STATE_HOME/workctl/work.jsonl
last=$(tail -n 1 "$log" | jq -r .digest)
body='{"commits":[{"revision":2,"transaction":"tx_1","at":1,"writes":[{"collection":"workloads",'
body=$body'"key":"w","version":7,"document":{}}],"audit":[]}]'
printf '%s,"digest":"%s"}\n' "$body" \
  "$(printf '%s%s' "$last" "$body" | sha256sum | cut -d ' ' -f 1)" >>"$log"
run workctl verify
exits 0
run workctl verify --replay
exits 10
out_has 'revision 2 makes version 7 of workloads "w", which is in version 0'
run workctl repair --drop-tail
exits 0
run workctl verify --replay
exits 0
