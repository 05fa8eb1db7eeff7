#!/bin/sh
# workctl stats: how much there is, for people, for programs and for Prometheus.
. "${0%/*}/harness.sh"

session 'an empty store'
quietly workctl init
run workctl stats
exits 0
out_has '0 workloads'
out_has 'generation 1'
run workctl stats -o json
json .ok.workloads 0
json .ok.oldest_ready_at null
json .ok.queues '[]'

session 'work is counted by tenant, application and state'
quietly workctl init
quietly workctl create --definition d --key 1 --now 1800000000
quietly workctl create --definition d --key 2 --now 1800000000 --application 'other "app"'
quietly workctl create --definition d --key 3 --now 1800000050
quietly workctl claim --next --worker w --now 1800000060
for index in '' --no-index; do
  # Nothing, or one word.
  # shellcheck disable=SC2086
  run workctl stats -o json --now 1800000100 $index
  exits 0
  json .ok.workloads 3
  json .ok.states.READY 2
  json .ok.states.CLAIMED 1
  json '.ok.queues[] | select(.application_id == "default") | .states.READY' 1
  json .ok.oldest_ready_at 1800000000
  json .ok.oldest_ready_seconds 100
  json .ok.log_bytes "$(wc -c <"$XDG_STATE_HOME/workctl/work.jsonl")"
  json '.ok.log_bytes == .ok.live_bytes + .ok.dead_bytes' true
  json .ok.archive_bytes 0
done
run workctl stats --now 1800000100
exits 0
out_has 'other "app"'
out_has '3 workloads, the oldest ready one for 1m40s'

session 'metrics of Prometheus'
quietly workctl init
quietly workctl create --definition d --application 'other "app"\n' --now 1800000000
run workctl stats --prometheus --now 1800000100
exits 0
err_empty
out_has 'workctl_workloads{tenant="default",application="other \"app\"\\n",state="READY"} 1'
out_has 'workctl_oldest_ready_seconds 100'
out_has '# TYPE workctl_log_bytes gauge'
same 'lines of another form' '' "$(output | grep -vE '^(# (HELP|TYPE) workctl_[a-z_]+ .+|workctl_[a-z_]+(\{.*\})? [0-9]+)$')"

session 'what is kept in archive/ is counted'
quietly workctl init
printf 'torn' >>"$XDG_STATE_HOME/workctl/work.jsonl"
quietly workctl create --definition d
run workctl stats -o json
json .ok.archive_bytes 4
