#!/bin/sh
# workctl in scripts: the assignments of `-o env` in each shell, variables that stand in for options, and
# values that come from files.
. "${0%/*}/harness.sh"

# A worker's name that would do harm if it were not quoted.
hostile="a'b\"c \$(touch owned) \`touch owned\` ; touch owned
next line \\ * ~ é"

for shell in sh dash bash; do
  session "claim, start and complete in $shell, whatever the worker is called"
  command -v "$shell" >/dev/null || skip "no $shell here"
  quietly workctl init
  new_work
  cat >worker <<'SCRIPT'
set -eu
eval "$(workctl claim --next --worker "$1" -o env)"
workctl start
printf '%s' "$WORKCTL_WORKER" >name
workctl complete --output "{\"fence\": $WORKCTL_TOKEN}"
SCRIPT
  run "$shell" worker "$hostile"
  exits 0
  same 'the name that came back' "$hostile" "$(cat name)"
  same 'a command in the name did not run' no "$([ -e owned ] && echo yes || echo no)"
  run workctl show "$id" -o jsonl
  json .state SUCCEEDED
  json .result.output.fence 1
  json '.attempts[0].worker_id' "$hostile"

  session "nothing to claim stops a script in $shell"
  quietly workctl init
  cat >worker <<'SCRIPT'
WORKCTL_CLAIM=old WORKCTL_TOKEN=1 WORKCTL_WORKLOAD=old
export WORKCTL_CLAIM WORKCTL_TOKEN WORKCTL_WORKLOAD
eval "$(workctl claim --next -o env 2>/dev/null)" && echo went on
echo "code $?, claim ${WORKCTL_CLAIM-none}"
SCRIPT
  run "$shell" worker
  exits 0
  out_is 'code 8, claim none'
done

session 'a script in full: the work is done, or fails'
quietly workctl init
cat >worker <<'SCRIPT'
eval "$(workctl claim --next -o env)" || exit 0
workctl start || exit
if sh -c "$1" >out.json 2>err.txt; then
  workctl complete --output @out.json
else
  workctl fail --error @err.txt
fi
SCRIPT
new_work --key good
run sh worker 'echo [1]'
exits 0
out_has "$id is SUCCEEDED"
new_work --key bad
run sh worker 'echo oops >&2; exit 1'
exits 0
out_has "$id is READY, not before"

session 'variables stand in for options, and options win'
quietly workctl init
export WORKCTL_TENANT=acme WORKCTL_APPLICATION=billing WORKCTL_ENVIRONMENT=test WORKCTL_REVISION=9 \
  WORKCTL_TRIGGER=cron WORKCTL_WORKER=w7 WORKCTL_LEASE=5m WORKCTL_ACTOR=service:operator
new_work
run workctl show "$id" -o jsonl
json '[.tenant_id, .application_id, .environment, .definition_revision, .trigger] | join(" ")' \
  'acme billing test 9 cron'
run workctl claim --next --now 1900000000 -o jsonl
exits 0
json .worker_id w7
json .expires_at 1900000300
run workctl cancel "$id"
exits 0
run workctl show "$id" -o jsonl
json '.execution_history[-1].actor' service:operator
new_work --tenant other --key k
run workctl show "$id" -o jsonl
json .tenant_id other

session 'a variable that cannot be is named'
quietly workctl init
WORKCTL_LEASE=soon
export WORKCTL_LEASE
run workctl claim --next
refused 2 WORKCTL_LEASE

session 'the capabilities of a worker'
quietly workctl init
new_work --capability a --capability b
WORKCTL_CAPABILITIES=b,a
export WORKCTL_CAPABILITIES
run workctl claim --next -o id
exits 0
out_is "$id"

session 'values from files and from standard input'
quietly workctl init
echo '{"from": "file"}' >input.json
new_work --input @input.json
run workctl show "$id" -o jsonl
json .input.from file
run_with '{"from": "input"}' workctl create --definition d --input @- -o id
exits 0
run workctl show "$(output)" -o jsonl
json .input.from input
run_with '1' workctl create --from - --input @-
refused 2 'standard input is already read for'
run workctl create --definition d --input @nowhere.json
refused 2 'nowhere.json'
run workctl create --definition d --input @
refused 2 'names no file'

session 'the place of the store: option, variable, XDG directory, home'
quietly workctl --store a init
same 'made where told' yes "$([ -f a/work.jsonl ] && echo yes)"
WORKCTL_STORE=$HOME/b workctl init >/dev/null
same 'made where the variable says' yes "$([ -f b/work.jsonl ] && echo yes)"
XDG_STATE_HOME=$HOME/c workctl init >/dev/null
same 'made under XDG_STATE_HOME' yes "$([ -f c/workctl/work.jsonl ] && echo yes)"
unset XDG_STATE_HOME
quietly workctl init
same 'made under HOME' yes "$([ -f .local/state/workctl/work.jsonl ] && echo yes)"
unset HOME
run workctl list
refused 2 'HOME'
