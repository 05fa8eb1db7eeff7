#!/bin/sh
# Somebody else's store, a store that one may only read, and root at work on the store of another.
. "${0%/*}/hostile.sh"
become_nobody
# Everything is done by nobody, who must not be root: permissions do not bind root.
workctl() { as_nobody env workctl "$@"; }

# nobodys TITLE: a session in a directory of nobody's, with a store.
nobodys() {
  session "$1"
  [ "$(id -u)" -ne 0 ] || chown 65534:65534 "$HOME"
  stored
}

# each_writer_refused CODE TEXT
each_writer_refused() {
  for words in 'create --definition d' 'claim --next' "cancel $held" 'recover --now +2h'; do
    # shellcheck disable=SC2086  # words of a command line
    run workctl $words
    refused "$1" "$2"
  done
}

nobodys 'a log that may only be read: readers work, writers change nothing'
chmod 400 store/work.*
each_writer_refused 11 'work.jsonl can be read but not written'
readers_work
kept
chmod 600 store/work.*
goes_on

nobodys 'a lock that may only be read: readers work, writers change nothing'
chmod 400 store/work.lock
each_writer_refused 11 'work.lock: openat failed: permission denied'
readers_work
kept
chmod 600 store/work.lock
goes_on

nobodys 'a store that may not be read at all'
chmod 000 store/work.jsonl
for words in list verify 'create --definition d'; do
  # shellcheck disable=SC2086  # words of a command line
  run workctl $words
  refused 11 'work.jsonl: openat failed: permission denied'
done
chmod 600 store/work.jsonl
chmod 000 store
for words in list verify 'create --definition d' init; do
  # shellcheck disable=SC2086  # words of a command line
  run workctl $words
  refused 11 'store: open failed: permission denied'
done
chmod 700 store
kept
goes_on

nobodys 'where nothing new may be made, what is there goes on, and what is missing is named'
chmod 500 store
goes_on
chmod 700 store
rm store/work.mark
chmod 500 store
remember
each_writer_refused 11 'work.mark: openat failed: permission denied'
kept
chmod 700 store
run workctl create --definition d --key more
exits 0

nobodys 'a torn end that cannot be set aside stays, and writers wait for somebody who can'
printf '{"commits":[{"revision":' >>store/work.jsonl
before=$(sha256sum <store/work.jsonl)
chmod 500 store
each_writer_refused 11 'archive: mkdirat failed: permission denied'
readers_work
same 'the log' "$before" "$(sha256sum <store/work.jsonl)"
chmod 700 store
run workctl create --definition d --key more
exits 0
err_has 'are now in'
run workctl verify
exits 0

needs_root_for 'be two users'

nobodys 'the store of somebody else is left alone'
chmod 755 store
chmod 644 store/work.*
somebody() { setpriv --reuid=65533 --regid=65533 --clear-groups env workctl "$@"; }
for words in 'create --definition d' 'claim --next' "cancel $held" 'recover --now +2h' list "show $id" init; do
  # shellcheck disable=SC2086  # words of a command line
  run somebody $words
  refused 7 'store belongs to user 65534, not to you'
done
chmod 700 store
chmod 600 store/work.*
kept

nobodys 'a file of somebody else in the store is not trusted'
for name in work.jsonl work.lock work.mark; do
  chown 65533 "store/$name"
  chmod 666 "store/$name"
  run workctl create --definition d
  exits 7
  err_has "$name belongs to user 65533, not to you"
  chown 65534 "store/$name"
  chmod 600 "store/$name"
done
kept

nobodys 'root at work on a store does not lock its owner out'
rm store/work.mark store/work.lock
printf '{"commits":[{"revision":' >>store/work.jsonl
run env workctl cancel "$id"
exits 0
same 'the owners' 65534 "$(find store -printf '%U\n' | sort -u)"
run workctl claim "$held" --now +2h
exits 5
goes_on
