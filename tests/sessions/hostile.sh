# A store among enemies, on top of the session harness. To be sourced:
#
#   . "${0%/*}/hostile.sh"
#
#   session 'the lock is a FIFO'
#   stored
#   rm "$store/work.lock" && mkfifo "$store/work.lock"
#   writers_refused 7 'is not a regular file'
#   kept
# shellcheck shell=sh
. "${0%/*}/harness.sh"

holder=
mounted=

# A test that ends early leaves no process and no mount behind. Ends with the status that it found.
clean_up() {
  ended_with=$?
  set +e
  [ -z "$holder" ] || kill "$holder" 2>/dev/null
  cd /
  [ -z "$mounted" ] || umount -l "$mounted"
  return "$ended_with"
}
trap 'clean_up; finish' EXIT
trap 'exit 143' INT TERM HUP

# stored: a store in ./store with two pieces of work, $held by w1 and $id by nobody; what `kept` compares
# with.
stored() {
  store=$PWD/store
  export WORKCTL_STORE="$store"
  quietly workctl init
  new_work --key held
  held=$id
  quietly workctl claim "$held" --worker w1 --lease 1h
  new_work --key ready
  remember
}

# remember: what is stored now is what `kept` compares with.
remember() {
  acknowledged=$(workctl list -o id | sort)
  log_before=$(sha256sum <"$store/work.jsonl")
}

# kept: the log has every byte that it had, none more, and is read as before.
kept() {
  same 'the log' "$log_before" "$(sha256sum <"$store/work.jsonl")"
  run workctl list -o id
  exits 0
  same 'the work' "$acknowledged" "$(output | sort)"
  run workctl verify
  exits 0
}

# each_refused CODE TEXT COMMAND...: each line of words is refused with TEXT, and prints no answer.
each_refused() {
  refused_with=$1
  refused_text=$2
  shift 2
  for words in "$@"; do
    # shellcheck disable=SC2086  # words of a command line
    run timeout 20 workctl $words
    refused "$refused_with" "$refused_text"
  done
}

# writers_refused CODE TEXT: whatever changes something is refused.
writers_refused() {
  each_refused "$1" "$2" 'create --definition d --key new' 'claim --next' "cancel $held" \
    'recover --now +2h'
}

# readers_work: whoever only reads gets its answers.
readers_work() {
  run workctl list -o id
  exits 0
  same 'the work' "$acknowledged" "$(output | sort)"
  run workctl show "$id" -o jsonl
  exits 0
  json .idempotency_key ready
}

# goes_on: the next command needs no help.
goes_on() {
  run workctl create --definition d --key afterwards --lock-timeout 0 -o id
  exits 0
  run workctl verify
  exits 0
}

# become_nobody: `as_nobody COMMAND...` runs a command without root's rights from now on. Skips the rest of
# the file where that cannot be.
become_nobody() {
  if [ "$(id -u)" -ne 0 ]; then
    # shellcheck disable=SC2317  # for whoever sources this
    as_nobody() { "$@"; }
    return
  fi
  as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
  if ! command -v setpriv >/dev/null || ! as_nobody true 2>/dev/null; then
    skip 'root, and no way to be somebody else'
  fi
  if ! as_nobody test -x "$workctl_binary"; then
    cp "$workctl_binary" "$sessions_directory/workctl"
    chmod 755 "$sessions_directory/workctl"
    ln -sf "$sessions_directory/workctl" "$sessions_directory/bin/workctl"
  fi
}

# needs_root_for WHAT: skips the rest of the file for others.
needs_root_for() { [ "$(id -u)" -eq 0 ] || skip "it takes root to $1"; }

# mount_small SIZE [OPTION]: a new file system of that size on the directory small, until `unmount`.
mount_small() {
  mkdir -p small
  mount -t tmpfs -o "size=$1,mode=700${2:+,$2}" none small 2>"$sessions_directory/err" ||
    skip "mounting is not permitted here: $(cat "$sessions_directory/err")"
  mounted=$PWD/small
}

# small_store SIZE: the same, with a store on it as `stored` makes it.
small_store() {
  mount_small "$@"
  cd small
  stored
  cd ..
}

unmount() {
  umount "$mounted"
  mounted=
}
