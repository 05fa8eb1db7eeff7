#!/bin/sh
# A lock that is held for ever: whoever changes something gives up in time, and readers do not wait.
. "${0%/*}/hostile.sh"
command -v flock >/dev/null || skip 'no flock here'

# hold: another process holds the lock of the store until `let_go`, or until it is killed.
hold() {
  mkfifo held released
  flock -o "$store/work.lock" sh -c 'echo >held; read -r _ <released' &
  holder=$!
  read -r _ <held
}

let_go() {
  echo >released
  wait "$holder" || true
  holder=
}

session 'writers give up in time, and name who took the lock last'
stored
hold
for timeout in 0 100ms; do
  export WORKCTL_LOCK_TIMEOUT="$timeout"
  writers_refused 9 'work.lock is held by process '
  err_has "waited ${timeout%ms} ms"
  err_has '--lock-timeout'
done
run workctl create --definition d -o json
exits 9
same 'the cause' STORE_BUSY "$(jq -r .error.cause "$sessions_directory/err")"
let_go
unset WORKCTL_LOCK_TIMEOUT
kept
goes_on

session 'the option overrides the variable'
stored
hold
export WORKCTL_LOCK_TIMEOUT=10m
run workctl create --definition d --lock-timeout 0
refused 9 'waited 0 ms'
let_go
kept

session 'readers do not wait'
stored
hold
readers_work
run workctl verify
exits 0
run workctl init
exits 0
let_go
kept

session 'a holder that is killed has let go'
stored
hold
run workctl create --definition d --lock-timeout 0
exits 9
kill -KILL "$holder"
{ wait "$holder" || true; } 2>/dev/null
holder=
goes_on
echo >released

session 'a writer that waits is let in'
stored
hold
workctl create --definition d --key waits --lock-timeout 5m -o id >waits.out &
waits=$!
let_go
wait "$waits"
run workctl show "$(cat waits.out)" -o jsonl
exits 0
json .idempotency_key waits

session 'a writer that waits may be ended, and has changed nothing'
stored
hold
run timeout --preserve-status -s TERM 0.2 workctl create --definition d --lock-timeout 5m
exits 143
out_empty
let_go
kept
