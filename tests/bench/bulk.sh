#!/bin/sh
# What bulk work costs: create --batch of many requests, as a ratio to writing as many bytes with dd and one
# sync, and migrate of as many workloads.
#
#   bulk.sh WORKCTL [COUNT]
set -eu

workctl=$1
count=${2:-100000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export WORKCTL_STORE="$folder/store"

# seconds COMMAND...: runs it with its output thrown away and prints how long it took and its peak memory.
seconds() {
  command time -f '%e %M' -o "$folder/time" "$@" >"$folder/out" 2>"$folder/err"
  cat "$folder/time"
}

"$workctl" init -q >"$folder/out"
seq "$count" | sed 's/.*/{"definition_id":"send-mail","idempotency_key":"k&","input":{"to":"a","n":&}}/' \
  >"$folder/requests.jsonl"
created=$(seconds "$workctl" create --batch "$folder/requests.jsonl" -o id)
lines=$(wc -l <"$WORKCTL_STORE/work.jsonl")
bytes=$(wc -c <"$WORKCTL_STORE/work.jsonl")
written=$(seconds dd if="$WORKCTL_STORE/work.jsonl" of="$folder/copy" bs=1M conv=fdatasync)

# What was created, in the form of the reference implementation's state file.
jq -r '.commits[]?.writes[] | select(.collection == "workloads") | .document
    | "\(.workload_id | tojson):\(tojson)",
      "\("\(.tenant_id):\(.application_id):\(.idempotency_key)" | tojson):\(.workload_id | tojson)"' \
  "$WORKCTL_STORE/work.jsonl" >"$folder/members"
{
  printf '{"workloads":{'
  sed -n '1~2p' "$folder/members" | paste -s -d ','
  printf '},"idempotency":{'
  sed -n '0~2p' "$folder/members" | paste -s -d ','
  printf '},"result_ids":{},"event_sequence":1}'
} >"$folder/legacy.json"
export WORKCTL_STORE="$folder/migrated"
"$workctl" init -q --trust off >"$folder/out"
migrated=$(seconds "$workctl" migrate "$folder/legacy.json")
legacy_bytes=$(wc -c <"$folder/legacy.json")

awk -v count="$count" -v created="$created" -v written="$written" -v migrated="$migrated" \
  -v lines="$lines" -v bytes="$bytes" -v legacy_bytes="$legacy_bytes" 'BEGIN {
  split(created, c); split(written, w); split(migrated, m)
  printf "%-14s %8s %12s %10s %10s\n", "", "seconds", "per second", "x dd", "peak MiB"
  printf "%-14s %8.2f %12.0f %10.1f %10.0f\n", "create --batch", c[1], count / c[1], c[1] / w[1], c[2] / 1024
  printf "%-14s %8.2f\n", "dd, same bytes", w[1]
  printf "%-14s %8.2f %12.0f %10s %10.0f\n", "migrate", m[1], count / m[1], "", m[2] / 1024
  printf "%d requests took %d lines (one sync each) and %.1f MiB; the legacy file has %.1f MiB\n",
    count, lines, bytes / 1048576, legacy_bytes / 1048576
}'
