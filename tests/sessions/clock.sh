#!/bin/sh
# A clock that jumps: order is the place in the log, and safety rests on the token, never on the time.
. "${0%/*}/harness.sh"

# day DAYS [SECONDS]: an instant, for --now.
day() { echo $((1800000000 + $1 * 86400 + ${2:-0})); }

session 'a step back of more than a minute is said, and stops nothing'
quietly workctl init --now "$(day 0)"
quietly workctl create --definition d --now "$(day 0)"
run workctl create --definition d --now "$(day 0 -60)"
exits 0
err_empty
run workctl create --definition d --now "$(day 0 -121)" -o id
exits 0
err_has 'the clock says 2027-01-15T07:57:59Z, 1m1s before the last commit (2027-01-15T07:59:00Z)'
run workctl show "$(output)" --now "$(day 0 -999)"
exits 0
err_empty

session 'it is said in JSON where the answer is JSON, and not at all to those who ask for quiet'
quietly workctl init --now "$(day 0)"
run workctl create --definition d --now "$(day -1)" -o json
exits 0
json .ok.created true
same 'the notice' true "$(jq '.notice | startswith("the clock says 2027-01-14")' "$sessions_directory/err")"
quietly workctl create --definition d --now "$(day 0)"
run workctl create --definition d --now "$(day -1)" --quiet
exits 0
err_empty

session 'a step forward is no news: time passes between commands'
quietly workctl init --now "$(day 0)"
run workctl create --definition d --now "$(day 1000)"
exits 0
err_empty

session 'a clock that jumps ahead frees work early, and the token keeps its first worker out'
quietly workctl init --now "$(day 0)"
new_work --now "$(day 0)"
quietly workctl claim "$id" --worker w1 --lease 1h --now "$(day 0)" -o env
first=$(output)
run workctl recover --now "$(day 365)" -o id
out_is "$id"
quietly workctl claim "$id" --worker w2 --lease 1h --now "$(day 365 60)" -o env
second=$(output)
eval "$first"
for line in start heartbeat complete; do
  run workctl "$line" --now "$(day 0 10)" -q
  refused 6 "$id"
done
eval "$second"
run workctl start --now "$(day 0 20)" -q
exits 0
run workctl complete --now "$(day 0 30)" -q
exits 0
run workctl show -o jsonl
json .state SUCCEEDED
json .fencing_token 2
json '[.execution_history[].sequence] == [range(1; 1 + (.execution_history | length))]' true
run workctl verify
exits 0

session 'one wrong reading, once it is stored, does not hold up what comes after'
quietly workctl init --now "$(day 0)"
quietly workctl create --definition d --key wrong --now "$(day 3650)"
new_work --key right --now "$(day 0 1)" -q
take --worker w1 --lease 60s --now "$(day 0 2)" -q
run workctl recover --now "$(day 0 61)" -q -o id
out_empty
run workctl recover --now "$(day 0 62)" -q -o id
out_is "$id"

session 'a clock that steps back makes a lease last longer, and gives nothing to two'
quietly workctl init --now "$(day 1)"
new_work --now "$(day 1)"
take --worker w1 --lease 60s --now "$(day 1)"
run workctl recover --now "$(day 0)" -q -o id
out_empty
run workctl claim --next --worker w2 --now "$(day 0)" -q
exits 8
run workctl heartbeat --now "$(day 0)" -q -o json
exits 0
json .ok.fencing_token 1
json .ok.expires_at "$(day 0 60)"
