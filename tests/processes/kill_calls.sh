#!/bin/sh
# The real program is killed at each of its system calls. What it did is then wholly there or wholly not,
# the next command needs no help, and the same command again ends well.
#
# Killed are the calls that may change something: at one that only reads, all is as at the one before.
# WORKCTL_KILL_EVERY_CALL=1 takes them all.
. "${0%/*}/../sessions/harness.sh"

changing_calls=openat,pwrite64,write,fdatasync,fsync,ftruncate,renameat,renameat2,mkdirat,unlinkat,flock
changing_calls=$changing_calls,exit_group
[ -z "${WORKCTL_KILL_EVERY_CALL:-}" ] || changing_calls=all
kills=0

command -v strace >"$sessions_directory/out" || skip 'strace is not installed'
strace -qq -o "$sessions_directory/out" true || skip 'tracing is not permitted here'

# fresh: the store as the story has it before the command.
fresh() {
  rm -rf store out
  [ ! -d base ] || cp -a base store
  # The mark is of the file that was copied; this makes one of the copy.
  [ ! -d base ] || [ -n "$damaged" ] || quietly workctl recover --now 1800000001
}

# lines: of the log that end; 0 where there is none.
lines() { if [ -e store/work.jsonl ]; then wc -l <store/work.jsonl; else echo 0; fi; }

# kill_each CHECK COMMAND...: kills the command at each call, on a fresh store, and then runs CHECK, which is
# to run it again.
kill_each() {
  check=$1
  shift
  fresh
  strace -qq -o calls -e "trace=$changing_calls" "$@" >"$sessions_directory/out" 2>"$sessions_directory/err" ||
    failed "without a kill it fails: $*"
  sed 's/(.*//' calls | grep -E '^[a-z0-9_]+$' | sort | uniq -c >counts
  while read -r count call; do
    [ "$call" != execve ] || continue
    for number in $(seq "$count"); do
      fresh
      command_line="$* (killed at $call number $number)"
      lines_before=$(lines)
      status=0
      { strace -qq -o killed -e "trace=$call" -e "inject=$call:signal=KILL:when=$number" "$@"; } \
        >"$sessions_directory/out" 2>"$sessions_directory/err" || status=$?
      exits 137
      kills=$((kills + 1))
      [ -z "$lines_before" ] || same 'no more than one line was added' yes \
        "$([ "$(lines)" -le $((lines_before + lines_of_command)) ] && echo yes)"
      [ -n "$damaged" ] || [ "$lines_before" -eq 0 ] || sound
      export WORKCTL_LOCK_TIMEOUT=0s
      $check "$@"
      sound --replay
      json .ok.end clean
      same 'names in the store' 'archive keys work.jsonl work.lock work.mark' \
        "$(find store -mindepth 1 -maxdepth 1 -printf '%f\n' | sed '$a archive' | sort -u | paste -s -d ' ')"
      unset WORKCTL_LOCK_TIMEOUT
    done
  done <counts
}

sound() {
  run workctl verify "$@" -o json
  exits 0
  json .ok.sound true
}

# again CODE...: the command once more ends with one of these.
again() {
  codes=$1
  shift
  command_line="again: $*"
  run "$@"
  case " $codes " in
    *" $status "*) check_count=$((check_count + 1)) ;;
    *) failed "expected an exit code of: $codes" ;;
  esac
}

# is_left STATE VERSIONS TOKEN: how the work $id is now.
is_left() {
  run workctl show "$id" -o jsonl
  json .state "$1"
  json .fencing_token "$3"
  case " $2 " in
    *" $(output | jq .__version) "*) check_count=$((check_count + 1)) ;;
    *) failed "expected a version of: $2" ;;
  esac
}

# story TITLE: a session whose store is in the working directory.
story() {
  session "$1"
  damaged=
  lines_of_command=1
  export WORKCTL_STORE="$PWD/store" WORKCTL_WORKER=w
}

# ready: keeps the store as it is now for the kills.
ready() { mv store base; }

story 'init'
made() {
  again 0 workctl init
  again 0 workctl create --definition d --key k --now 1800000001
}
lines_of_command=2
kill_each made workctl init

story 'create'
created() {
  again 0 "$@"
  run workctl list -o id
  same 'how much work there is' 1 "$(output | wc -l)"
  id=$(output)
  is_left READY 1 0
}
quietly workctl init
ready
kill_each created workctl create --definition d --key k --now 1800000001

story 'claim'
claimed() {
  again '0 5' "$@"
  is_left CLAIMED 2 1
}
quietly workctl init
new_work --now 1800000000
ready
kill_each claimed workctl claim "$id" --lease 60s --now 1800000001

story 'claim --next'
quietly workctl init
new_work --now 1800000000
ready
next_claimed() {
  again '0 8' "$@"
  is_left CLAIMED 2 1
}
kill_each next_claimed workctl claim --next --lease 60s --now 1800000001

story 'start'
started() {
  again '0 5' "$@"
  is_left RUNNING 3 1
}
quietly workctl init
new_work --now 1800000000
take --now 1800000000
ready
kill_each started workctl start --now 1800000001

story 'complete'
completed() {
  again 0 "$@"
  is_left SUCCEEDED 4 1
  run workctl show "$id" -o jsonl
  json .result.result_id r
}
quietly workctl init
new_work --now 1800000000
take --now 1800000000
quietly workctl start --now 1800000000
ready
kill_each completed workctl complete --result-id r --output 7 --now 1800000001

story 'recover'
recovered() {
  again 0 "$@"
  is_left READY 3 1
  again 0 workctl claim "$id" --now 1800009999
  is_left CLAIMED 4 2
}
quietly workctl init
new_work --now 1800000000
take --lease 10s --now 1800000000
ready
kill_each recovered workctl recover --now 1800000100

story 'batch --atomic'
batched() {
  again '0 5' "$@"
  while read -r id; do
    is_left CANCELLED 2 0
  done <ids
}
quietly workctl init
for number in 1 2 3; do
  new_work --key "$number" --now 1800000000
  echo "$id" >>ids
  printf '{"op":"cancel","args":{"id":"%s","actor":"a","now":1800000001}}\n' "$id" >>operations.jsonl
done
ready
kill_each batched sh -c 'exec workctl batch --atomic <operations.jsonl'

story 'repair --drop-tail'
repaired() {
  again 0 "$@"
  run workctl list -o id
  same 'how much work is left' 1 "$(output | wc -l)"
  cmp -s damaged.jsonl store/archive/damaged-* || failed 'the damaged log was not kept'
  again 0 workctl create --definition d --key k --now 1800000002
}
quietly workctl init
new_work --key 1
new_work --key 2
sed -i '4s/send-mail/send-male/' store/work.jsonl
cp store/work.jsonl damaged.jsonl
damaged=yes
ready
kill_each repaired workctl repair --drop-tail

echo "$session_file: $kills processes killed"
