#!/bin/sh
# No room: a command either has its change on the disk or has changed nothing, and says which.
. "${0%/*}/hostile.sh"

session 'an answer that cannot be written says that the change is made'
stored
run sh -c 'workctl create --definition d --key new -o id >/dev/full'
exits 11
err_has 'the answer could not be written to standard output'
err_has 'the command itself is done'
run workctl create --definition d --key new -o json
exits 0
json .ok.created false

session 'a file that may not grow is an error, not the end of the process'
stored
limited() { (ulimit -f $(($(wc -c <"$store/work.jsonl") / 512 + 1)) && exec workctl "$@"); }
run limited create --definition d --input "\"$(printf '%4000d' 0)\""
refused 11 'work.jsonl: pwrite failed: file too large; nothing was changed'
kept
goes_on

needs_root_for 'mount'

# room BYTES: leaves about that much room on the small disk.
room() {
  rm -f small/filler
  free=$(df -B 1 --output=avail small | tail -n 1)
  head -c $((free - $1)) /dev/zero >small/filler
}

# all_there: the work whose ids the file ids holds is stored.
all_there() {
  sort ids >ids.sorted
  run workctl list --limit 10000 -o id
  same 'acknowledged and not there' '' "$(output | sort | comm -13 - ids.sorted)"
}

session 'a disk that fills up: what was acknowledged is there, what was not may be tried again'
small_store 512k
: >ids
number=0
for full in 1 2 3; do
  session_title="the disk fills up for the time number $full"
  room 80000
  while run workctl create --definition d --key "$number" -o id && [ "$status" -eq 0 ]; do
    output >>ids
    number=$((number + 1))
  done
  refused 11 'work.jsonl: pwrite failed: no space left on device; nothing was changed'
  remember
  each_refused 11 'no space left on device; nothing was changed' 'create --definition d --key other'
  kept
  all_there
  room 120000
  run workctl create --definition d --key "$number" -o json
  exits 0
  json .ok.created true
  run workctl verify
  exits 0
done
same 'rounds that found room' yes "$([ "$number" -gt 10 ] && echo yes)"
unmount

session 'readers need no room'
small_store 256k
room 0
readers_work
kept
unmount

session 'a torn end waits for room to be set aside, and nothing is cut before it is'
small_store 256k
head -c 20000 /dev/zero | tr '\0' x >>"$store/work.jsonl"
before=$(sha256sum <"$store/work.jsonl")
room 0
writers_refused 11 'no space left on device'
readers_work
same 'the log' "$before" "$(sha256sum <"$store/work.jsonl")"
room 100000
run workctl create --definition d --key more -o id
exits 0
err_has '20000 bytes of a write that did not finish'
same 'bytes set aside' 20000 "$(find "$store/archive" -type f -size +19000c -exec cat {} + | wc -c)"
run workctl verify
exits 0
unmount

session 'a store that could not be made for want of room is made by the next try'
mount_small 64k nr_inodes=5
run workctl init --store small/store
refused 11 'no space left on device'
run workctl list --store small/store
exits 3
mount -o remount,nr_inodes=100 small
run workctl init --store small/store -o json
exits 0
json .ok.created true
same 'what is there' 'keys work.jsonl work.lock' "$(find small/store -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | paste -s -d ' ')"
run workctl create --store small/store --definition d
exits 0
unmount
