#!/bin/sh
# workctl checkpoint
. "${0%/*}/harness.sh"

running() {
  quietly workctl init
  new_work
  take --worker w1
  quietly workctl start
}

session 'how far the work is, for whoever continues it'
running
run workctl checkpoint --state '{"done": 1}' -o json
exits 0
json .ok.sequence 1
json .ok.checkpoint_id "checkpoint_${id}_1"
json .ok.state '{"done":1}'
run workctl checkpoint --state '{"done": 2}' -o jsonl
exits 0
json .sequence 2
run workctl show -o jsonl
json .state CHECKPOINTED
json '.checkpoints | length' 2
json '.execution_history | map(.event_type) | join(" ")' \
  'workload.ready workload.claimed workload.started workload.checkpointed'

session 'the state comes from a file or from standard input'
running
echo '{"from": "file"}' >state.json
run workctl checkpoint --state @state.json -o jsonl
exits 0
json .state.from file
run_with '{"from": "input"}' workctl checkpoint --state @- -o jsonl
exits 0
json .state.from input

session 'not before the start'
quietly workctl init
new_work
take
run workctl checkpoint --state 1
refused 5 "$id"

session 'a state that holds a secret is refused'
running
before=$(log_digest)
run workctl checkpoint --state '{"mail": {"Password": "x"}}'
refused 7 'Password'
run workctl checkpoint --state '["sk-abc"]'
exits 7
unchanged "$before"

session 'the state is needed, and is JSON'
running
run workctl checkpoint
refused 2 '--state'
run workctl checkpoint --state '{"done": }'
refused 2 'line 1'
err_has 'column'
run workctl checkpoint --state @missing.json
refused 2 'missing.json'
