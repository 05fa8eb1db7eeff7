#!/bin/sh
# workctl init, and where a store may be.
. "${0%/*}/harness.sh"

# as_nobody COMMAND...: without root's rights.
as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

session 'a store is made, for its owner alone'
umask 000
run workctl init -o json
exits 0
err_empty
json .ok.created true
json .ok.trust on
json .ok.store "$XDG_STATE_HOME/workctl"
json '.ok.store_id | test("^store_[0-9a-f]{32}$")' true
umask 022
same 'the directory' 700 "$(stat -c %a .local/state/workctl)"
same 'its log' 600 "$(stat -c %a .local/state/workctl/work.jsonl)"
same 'files that others may read' '' "$(find .local/state/workctl -perm /077)"

session 'a store that is there is left as it is'
quietly workctl init -o json
store_id=$(jq -r .ok.store_id "$sessions_directory/out")
new_work
before=$(log_digest)
run workctl init -o json
exits 0
json .ok.created false
json .ok.store_id "$store_id"
unchanged "$before"
run workctl init --trust on
exits 0
run workctl init --trust off
refused 4 '--trust on'
unchanged "$before"

session 'the trust setting is stored'
run workctl init --trust off -o json
exits 0
json .ok.trust off
run workctl init -o json
exits 0
json .ok.trust off

session 'no store'
for line in 'list' 'show x' 'claim --next' 'create --definition d' 'recover' 'verify' 'batch'; do
  # shellcheck disable=SC2086  # words of a command line
  run workctl $line </dev/null
  refused 3 'workctl init'
done
same 'nothing is made' no "$([ -e .local ] && echo yes || echo no)"

session 'a path that is a file'
echo 'not a store' >file
for line in 'init' 'list' 'create --definition d' 'verify'; do
  # shellcheck disable=SC2086  # words of a command line
  run workctl --store file $line
  same 'a refusal' yes "$([ "$status" -ne 0 ] && echo yes)"
  out_empty
  err_has file
done
run workctl --store file/below init
same 'a refusal' yes "$([ "$status" -ne 0 ] && echo yes)"
same 'the file' 'not a store' "$(cat file)"

session 'a directory that holds something else is still fit for a store'
mkdir busy
echo keep >busy/notes
run workctl --store busy init
exits 0
same 'what was there' keep "$(cat busy/notes)"

session 'a directory that others can write to is refused'
mkdir open
chmod 777 open
run workctl --store open init
refused 7 open
run workctl --store open init
same 'no log' no "$([ -e open/work.jsonl ] && echo yes || echo no)"

session 'links in place of the files of a store are not followed'
quietly workctl init
mv .local/state/workctl/work.jsonl elsewhere
ln -s "$HOME/elsewhere" .local/state/workctl/work.jsonl
before=$(sha256sum <elsewhere)
run workctl create --definition d
same 'a refusal' yes "$([ "$status" -ne 0 ] && echo yes)"
err_has work.jsonl
same 'the file behind the link' "$before" "$(sha256sum <elsewhere)"

session 'a lock that is held by another'
quietly workctl init
command -v flock >/dev/null || skip 'no flock here'
before=$(log_digest)
run flock .local/state/workctl/work.lock workctl create --definition d --lock-timeout 50ms
refused 9 'work.lock is held by'
run flock .local/state/workctl/work.lock workctl create --definition d --lock-timeout 0
exits 9
unchanged "$before"
run flock .local/state/workctl/work.lock workctl list --lock-timeout 0
exits 0

# From here on as somebody who is not root.
if [ "$(id -u)" -ne 0 ]; then
  as_nobody() { "$@"; }
elif ! command -v setpriv >/dev/null || ! as_nobody true 2>/dev/null; then
  skip 'root, and no way to be somebody else'
fi
if ! as_nobody test -x "$workctl_binary"; then
  cp "$workctl_binary" "$sessions_directory/workctl"
  chmod 755 "$sessions_directory/workctl"
  ln -sf "$sessions_directory/workctl" "$sessions_directory/bin/workctl"
fi

session 'a place where one may not write'
mkdir closed
chmod 555 closed
chmod 755 "$HOME"
run as_nobody workctl --store "$HOME/closed/store" init
refused 11 closed
mkdir own
chmod 555 own
[ "$(id -u)" -ne 0 ] || chown 65534:65534 own
run as_nobody workctl --store "$HOME/own" init
refused 11 own

session 'a store that one may read but not write'
[ "$(id -u)" -ne 0 ] || chown 65534:65534 "$HOME"
as_nobody env HOME="$HOME" workctl init >/dev/null
as_nobody workctl create --definition d -o id >made
chmod 400 .local/state/workctl/work.jsonl .local/state/workctl/work.lock
before=$(log_digest)
run as_nobody workctl create --definition d
refused 11 'work.'
unchanged "$before"
run as_nobody workctl list -o id
exits 0
out_is "$(cat made)"

session 'a store that belongs to somebody else'
if [ "$(id -u)" -eq 0 ]; then
  quietly workctl init
  chmod 755 "$HOME" .local .local/state
  run as_nobody workctl create --definition d
  same 'a refusal' yes "$([ "$status" -ne 0 ] && echo yes)"
  out_empty
fi
