#!/bin/sh
# --if-version: a script's own compare-and-swap, on every command that changes one workload.
. "${0%/*}/harness.sh"

# only_in VERSION COMMAND...: refused in every other version, and carried out in this one.
only_in() {
  version=$1
  shift
  before=$(log_digest)
  for other in $((version - 1)) $((version + 1)); do
    [ "$other" -gt 0 ] || continue
    run workctl "$@" --if-version "$other"
    exits 4
    err_has "$id"
    err_has "version $version"
  done
  unchanged "$before"
  run workctl "$@" --if-version "$version"
  exits 0
}

session 'from the claim to the end'
quietly workctl init
new_work
only_in 1 claim "$id" -o env
eval "$(output)"
only_in 2 start
only_in 3 heartbeat
only_in 4 checkpoint --state 1
only_in 5 complete

session 'cancelled under a claim'
quietly workctl init
new_work
take
only_in 2 cancel
only_in 3 confirm-cancel

session 'failed, dead-lettered and re-armed'
quietly workctl init
new_work --max-attempts 1
take
quietly workctl start
only_in 3 fail
only_in 4 retry
only_in 5 timeout

session 'the version is what show and every answer says'
quietly workctl init
new_work
run workctl show "$id" -o jsonl
json .__version 1
run workctl cancel "$id" -o jsonl
json .__version 2
