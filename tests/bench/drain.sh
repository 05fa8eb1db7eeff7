#!/bin/sh
# Shell workers empty a queue: each item is claimed, started and completed by commands of its own. Told as a
# ratio to the same shell loops around the floor program, three times an item.
#
#   drain.sh WORKCTL FLOOR [ITEMS [WORKERS]]
set -eu

workctl=$1
floor=$2
items=${3:-2000}
workers=${4:-8}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export WORKCTL_STORE="$folder/store" WORKCTL_LOCK_TIMEOUT=5m

now() { date +%s.%N; }

# together COMMAND: runs it in as many shells as there are workers, and prints for how long.
together() {
  begun=$(now)
  for worker in $(seq "$workers"); do
    "$1" "$worker" &
  done
  wait
  ended=$(now)
  echo "$begun $ended" | awk '{ printf "%.3f", $2 - $1 }'
}

work() {
  while assignments=$("$workctl" claim --next --worker "w$1" -o env 2>/dev/null); do
    eval "$assignments"
    "$workctl" start >/dev/null
    "$workctl" complete --output "$1" >/dev/null
  done
}

least() {
  for _ in $(seq $((items * 3 / workers))); do
    "$floor" "$folder"
  done
}

"$workctl" init -q >/dev/null
seq "$items" | sed 's/.*/{"definition_id":"d","idempotency_key":"k&","input":&}/' >"$folder/requests.jsonl"
"$workctl" create --batch "$folder/requests.jsonl" -q >/dev/null
drained=$(together work)
floor_seconds=$(together least)

done_items=$("$workctl" list --state succeeded --limit 1000000 -o id | wc -l)
claims=$(jq -r '.commits[]?.audit[]? | select(.operation == "workload.claim") | .workload_id // .subject' \
  "$WORKCTL_STORE/work.jsonl" | wc -l)
printf '%s workers, %s items: %s s, %s s for the floor, %s x floor; lost %s, claimed more than once %s\n' \
  "$workers" "$items" "$drained" "$floor_seconds" \
  "$(echo "$drained $floor_seconds" | awk '{ printf "%.2f", $1 / $2 }')" \
  $((items - done_items)) $((claims - items))
