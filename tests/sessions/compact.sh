#!/bin/sh
# workctl compact: the log anew, without its history.
. "${0%/*}/harness.sh"

# A store with work in several states, and its answers.
lived() {
  quietly workctl init
  new_work --key finished
  take --worker w
  quietly workctl start
  for step in 1 2 3 4 5 6 7 8; do
    quietly workctl checkpoint --state "{\"step\":$step}"
  done
  quietly workctl complete --output '{"ok":true}'
  forget_variables
  new_work --key held
  take --worker w --lease 1h
  held=$id
  claim=$WORKCTL_CLAIM
  forget_variables
  new_work --key ready
  log=$XDG_STATE_HOME/workctl/work.jsonl
}

# answers: everything that is stored, as it is shown.
answers() {
  workctl list -o id | sort | while read -r each; do workctl show "$each" -o jsonl; done
}

session 'nothing but the history is gone'
lived
before=$(answers)
head=$(tail -n 1 "$log" | jq -r .digest)
bytes=$(wc -c <"$log")
revision=$(tail -n 1 "$log" | jq '.commits[-1].revision')
old=$(log_digest)
run workctl compact --dry-run -o json
exits 0
json .ok.dry_run true
json .ok.bytes_before "$bytes"
unchanged "$old"
run workctl compact --actor human:ada -o json
exits 0
err_empty
json .ok.generation 2
json .ok.revision $((revision + 1))
json .ok.bytes_before "$bytes"
json .ok.bytes_after "$(wc -c <"$log")"
kept=$XDG_STATE_HOME/workctl/$(jq -r .ok.kept_as "$sessions_directory/out")
same 'the old log' "${old%% *}" "$(sha256sum <"$kept" | cut -d ' ' -f 1)"
same 'the digest before' "$head" "$(head -n 1 "$log" | jq -r .previous)"
same 'who did it' human:ada "$(tail -n 1 "$log" | jq -r '.commits[0].audit[0].subject')"
same 'what is stored' "$before" "$(answers)"
for use in '' --no-index; do
  # Nothing, or one word.
  # shellcheck disable=SC2086
  run workctl verify --replay $use -o json
  exits 0
  json .ok.generation 2
  json .ok.revisions $((revision + 1))
done

session 'versions, fences and idempotency go on'
lived
quietly workctl compact
rm -r "$XDG_STATE_HOME/workctl/index"
run workctl create --definition send-mail --key finished -o json
exits 0
json .ok.created false
run workctl heartbeat "$held" --claim "$claim" --worker w --token 1
exits 0
run workctl heartbeat "$held" --claim "$claim" --worker w --token 2
exits 6
run workctl claim --next --worker v -o json
exits 0
json .ok.fencing_token 1
run workctl verify --replay
exits 0
quietly workctl compact
run workctl compact -o json
json .ok.generation 4
run workctl stats -o json
json .ok.generation 4
same 'logs that are kept' 3 "$(find "$XDG_STATE_HOME/workctl/archive" -name 'sealed-*' | wc -l)"

session 'the old log may be left out'
lived
run workctl compact --discard -o json
exits 0
json .ok.kept_as null
[ ! -e "$XDG_STATE_HOME/workctl/archive" ] || failed 'archive/ was made'
run workctl compact
exits 0
out_has 'generation 3'
out_has 'the old log is in archive/sealed-g2-'

session 'a log that ends in its snapshot is damaged, not short'
lived
quietly workctl compact
lines=$(wc -l <"$log")
head -n $((lines - 1)) "$log" >shorter
cp shorter "$log"
rm -r "$XDG_STATE_HOME/workctl/index"
run workctl list
refused 10 'ends in the snapshot that it begins with'
run workctl verify
exits 10
