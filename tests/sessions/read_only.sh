#!/bin/sh
# Media that may only be read: a store on them can be looked at, and nothing else.
. "${0%/*}/hostile.sh"
needs_root_for 'mount'

session 'a store on media that may only be read'
small_store 1m
mount -o remount,ro small
writers_refused 11 'work.jsonl can be read but not written'
run workctl batch <<'OPERATIONS'
{"op":"claim_next","args":{"tenant":"default","application":"default","worker":"w","capabilities":[],"now":1800000000,"lease_ms":60000}}
OPERATIONS
exits 11
out_has 'can be read but not written'
readers_work
run workctl init
exits 0
out_has 'is there already'
kept
mount -o remount,rw small
goes_on
unmount

session 'no store can be made on media that may only be read'
mount_small 1m
mkdir small/there
mount -o remount,ro small
for place in new there; do
  run workctl init --store "small/$place"
  refused 11 'read-only file system'
done
run workctl list --store small/new
exits 3
same 'what is there' there "$(ls small)"
unmount

session 'a copy of a log on media that may only be read is a store for readers'
stored
mount_small 1m
cp store/work.jsonl small/
mount -o remount,ro small
export WORKCTL_STORE="$PWD/small"
readers_work
run workctl verify
exits 0
writers_refused 11 'work.jsonl can be read but not written'
unmount
