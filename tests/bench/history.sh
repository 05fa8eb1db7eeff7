#!/bin/sh
# What a long log costs where it is read as a whole, and how many bytes each kind of command adds to it.
#
#   history.sh WORKCTL [COMMITS]
#
# verify is told as a ratio to sha256sum on the log, making the index as a ratio to reading the log and
# finding its line ends (wc -l).
set -eu

workctl=$1
commits=${2:-100000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export WORKCTL_STORE="$folder/store"
log=$WORKCTL_STORE/work.jsonl

# seconds COMMAND...: runs it with its output thrown away and prints how long it took.
seconds() {
  command time -f '%e' -o "$folder/time" "$@" >/dev/null 2>"$folder/err"
  cat "$folder/time"
}

"$workctl" init -q >/dev/null
seq "$commits" | sed 's/.*/{"definition_id":"d","idempotency_key":"k&","input":{"to":"a","n":&}}/' \
  >"$folder/requests.jsonl"
"$workctl" create --batch "$folder/requests.jsonl" -q >/dev/null
cat "$log" >/dev/null
read_seconds=$(seconds wc -l "$log")
digest_seconds=$(seconds sha256sum "$log")
verify_seconds=$(seconds "$workctl" verify)
rm -r "$WORKCTL_STORE/index"
rebuild_seconds=$(seconds "$workctl" cancel none || cat "$folder/time")
awk -v bytes="$(wc -c <"$log")" -v commits="$commits" -v r="$read_seconds" -v d="$digest_seconds" \
  -v v="$verify_seconds" -v b="$rebuild_seconds" 'BEGIN {
  mib = bytes / 1048576
  printf "%d commits, %.0f MiB\n", commits, mib
  printf "%-16s %8s %8s %s\n", "", "seconds", "MiB/s", "ratio"
  printf "%-16s %8.2f %8.0f\n", "wc -l", r, mib / (r > 0 ? r : 0.01)
  printf "%-16s %8.2f %8.0f\n", "sha256sum", d, mib / (d > 0 ? d : 0.01)
  printf "%-16s %8.2f %8.0f %.2f of the speed of sha256sum\n", "verify", v, mib / v, d / v
  printf "%-16s %8.2f %8.0f %.1f x wc -l\n", "make the index", b, mib / b, b / (r > 0 ? r : 0.01)
}'

# grown COMMAND...: by how many bytes it made the log longer.
grown() {
  before=$(wc -c <"$log")
  "$workctl" "$@" >/dev/null
  echo $(($(wc -c <"$log") - before))
}
jq -n '{text: ("x" * 100000)}' >"$folder/input.json"
printf '%-16s %8s %8s\n' 'bytes in the log' small '100 KB'
for input in '{"to":"a"}' "@$folder/input.json"; do
  rm -rf "$WORKCTL_STORE"
  log=$WORKCTL_STORE/work.jsonl
  "$workctl" init -q >/dev/null
  {
    echo "create $(grown create --definition d --key k --input "$input")"
    id=$("$workctl" create --definition d --key k --input "$input" -o id)
    echo "claim $(grown claim "$id" --worker w)"
    export WORKCTL_WORKLOAD="$id" WORKCTL_WORKER=w WORKCTL_TOKEN=1
    WORKCTL_CLAIM=$("$workctl" show "$id" -o jsonl | jq -r .current_claim.claim_id)
    export WORKCTL_CLAIM
    echo "start $(grown start)"
    echo "heartbeat $(grown heartbeat)"
    echo "checkpoint $(grown checkpoint --state '{"done":1}')"
    echo "complete $(grown complete --output '{"ok":true}')"
  } >>"$folder/bytes"
done
awk '{ if ($1 in bytes) printf "%-16s %8d %8d\n", $1, bytes[$1], $2; else bytes[$1] = $2 }' "$folder/bytes"
