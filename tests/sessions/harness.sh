# Sessions at the shell: run a command, then say what it must have answered. To be sourced by a session
# file, which is given the workctl binary as its first argument:
#
#   . "${0%/*}/harness.sh"
#
#   session 'a key that was used answers the work it made'
#   quietly workctl init
#   run workctl create --definition send-mail --key k -o id
#   exits 0
#
# Each session has a new directory as its working directory and HOME, with no store, no WORKCTL_*
# variables and a UTF-8 locale. `run` never ends the file; the checks after it look at what it left and
# report every difference with the command and its output. The file fails when any check did.
# shellcheck shell=sh
set -eu

session_file=${0##*/}
workctl_binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
# The session's own directories are under one that everybody may enter: some commands run as nobody.
sessions_directory=$(mktemp -d)
chmod 711 "$sessions_directory"
mkdir "$sessions_directory/bin"
ln -s "$workctl_binary" "$sessions_directory/bin/workctl"
PATH=$sessions_directory/bin:$PATH
TMPDIR=$sessions_directory
LC_ALL=C.UTF-8
TZ=UTC
export PATH TMPDIR LC_ALL TZ
unset XDG_STATE_HOME NO_COLOR COLUMNS

session_count=0
session_title='before the first session'
check_count=0
failure_count=0
command_line=
status=0

finish() {
  result=$?
  cd /
  rm -rf "$sessions_directory"
  echo "$session_file: $session_count sessions, $check_count checks, $failure_count failed"
  if [ "$result" -eq 0 ] && [ "$failure_count" -gt 0 ]; then
    exit 1
  fi
  if [ "$result" -eq 0 ] && [ "$check_count" -eq 0 ]; then
    echo "$session_file: nothing was checked"
    exit 1
  fi
  if [ "$result" -ne 0 ] && [ "$result" -ne 77 ]; then
    echo "$session_file: ended early, with $result, in: $session_title"
  fi
}
trap finish EXIT

# forget_variables: as in a new shell.
forget_variables() {
  for variable in $(env | sed -n 's/^\(WORKCTL_[A-Z_]*\)=.*/\1/p'); do
    unset "$variable"
  done
}

# session TITLE: begins a new one.
session() {
  session_count=$((session_count + 1))
  session_title=$1
  home=$sessions_directory/$session_count
  mkdir "$home"
  cd "$home"
  HOME=$home
  XDG_STATE_HOME=$home/.local/state
  export HOME XDG_STATE_HOME
  forget_variables
  command_line=
}

# skip REASON: the rest of the file cannot be run here; meson reports it as skipped.
skip() {
  echo "$session_file: SKIPPED, $1"
  exit 77
}

# run COMMAND...: leaves its exit code in $status and its output in $sessions_directory/out and err.
run() {
  command_line=$*
  status=0
  "$@" >"$sessions_directory/out" 2>"$sessions_directory/err" || status=$?
}

# run_with TEXT COMMAND...: the same with TEXT on its standard input, without a newline added.
run_with() {
  printf '%s' "$1" >"$sessions_directory/in"
  shift
  command_line=$*
  status=0
  "$@" <"$sessions_directory/in" >"$sessions_directory/out" 2>"$sessions_directory/err" || status=$?
}

# quietly COMMAND...: a step that only prepares; the file ends when it fails.
quietly() {
  run "$@"
  if [ "$status" -ne 0 ]; then
    failed 'a preparing step fails'
    exit 1
  fi
}

# new_work OPTION...: creates work, of the definition send-mail unless told otherwise, and leaves its id
# in $id.
new_work() {
  case " $* " in
    *' --definition '*) quietly workctl create -o id "$@" ;;
    *) quietly workctl create -o id --definition send-mail "$@" ;;
  esac
  id=$(output)
}

# take OPTION...: claims the work $id; the variables hold the claim.
take() {
  quietly workctl claim "$id" -o env "$@"
  eval "$(output)"
}

# failed WHAT: reports a difference.
failed() {
  failure_count=$((failure_count + 1))
  echo "--- $session_file: $session_title"
  echo "    $1"
  echo "    command: $command_line"
  echo "    exit code: $status"
  sed -e 's/^/    stdout: /' -e 40q "$sessions_directory/out"
  sed -e 's/^/    stderr: /' -e 40q "$sessions_directory/err"
}

# exits CODE
exits() {
  check_count=$((check_count + 1))
  [ "$status" -eq "$1" ] || failed "expected exit code $1"
}

# out_is TEXT, err_is TEXT: all of it, but for the last newline.
out_is() { stream_is out "$1"; }
err_is() { stream_is err "$1"; }
stream_is() {
  check_count=$((check_count + 1))
  [ "$(cat "$sessions_directory/$1")" = "$2" ] || failed "expected std$1 to be: $2"
}

# out_has TEXT, err_has TEXT: somewhere in it.
out_has() { stream_has out "$1"; }
err_has() { stream_has err "$1"; }
stream_has() {
  check_count=$((check_count + 1))
  grep -qF -e "$2" "$sessions_directory/$1" || failed "expected std$1 to hold: $2"
}

# out_lacks TEXT, err_lacks TEXT
out_lacks() { stream_lacks out "$1"; }
err_lacks() { stream_lacks err "$1"; }
stream_lacks() {
  check_count=$((check_count + 1))
  ! grep -qF -e "$2" "$sessions_directory/$1" || failed "expected std$1 not to hold: $2"
}

# out_matches REGEX: some line of it, an extended regular expression.
out_matches() {
  check_count=$((check_count + 1))
  grep -qE -e "$1" "$sessions_directory/out" || failed "expected stdout to match: $1"
}

out_empty() { out_is ''; }
err_empty() { err_is ''; }

# json FILTER TEXT: what jq's FILTER gives on standard output, compact, one line a value, is TEXT.
json() {
  check_count=$((check_count + 1))
  found=$(jq -c -r "$1" "$sessions_directory/out" 2>&1) || true
  [ "$found" = "$2" ] || failed "expected $1 to be $2, found $found"
}

# refused CODE TEXT: it failed with CODE, said nothing on standard output and TEXT on standard error.
refused() {
  exits "$1"
  out_empty
  err_has "$2"
}

# output: standard output of the last command.
output() { cat "$sessions_directory/out"; }

# log_digest: of the store's log, to show that nothing was changed.
log_digest() { sha256sum <"$XDG_STATE_HOME/workctl/work.jsonl"; }

# unchanged DIGEST: the log still has the digest that `log_digest` gave before.
unchanged() { same 'the digest of the log' "$1" "$(log_digest)"; }

# same WHAT EXPECTED FOUND
same() {
  check_count=$((check_count + 1))
  [ "$2" = "$3" ] || failed "$1: expected $2, found $3"
}
