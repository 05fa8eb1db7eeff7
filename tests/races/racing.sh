# Races of real processes, on top of the session harness. To be sourced:
#
#   . "${0%/*}/racing.sh"
#
#   takes() { workctl claim "$id" --worker "w$1"; }
#   race 20 takes
#   finished 0:1 5:19
#
# Each racer is a process of its own that waits at a barrier, so that all run at once and none has to be
# timed. A race ends when all have ended; racer N leaves racer.N.out, .err and .status.
# shellcheck shell=sh
. "${0%/*}/../sessions/harness.sh"

race_count=0

# line_up: makes the barrier, two FIFOs: who is ready, and one newline a racer to set off with.
line_up() {
  rm -f racer.* barrier.ready barrier.go
  mkfifo barrier.ready barrier.go
  exec 3<>barrier.ready 4<>barrier.go
  racer_count=0
}

# racer COMMAND...
racer() {
  racer_count=$((racer_count + 1))
  racer_number=$racer_count
  (
    echo >&3
    read -r _ <&4
    racer_status=0
    "$@" >"racer.$racer_number.out" 2>"racer.$racer_number.err" 3>&- 4>&- || racer_status=$?
    echo "$racer_status" >"racer.$racer_number.status"
  ) &
}

# off: waits until all are at the barrier, lets them go, waits until all have ended.
off() {
  race_count=$((race_count + 1))
  command_line="a race of $racer_count"
  status=0
  waiting=$racer_count
  while [ "$waiting" -gt 0 ]; do
    read -r _ <&3
    waiting=$((waiting - 1))
  done
  yes '' | head -n "$racer_count" >&4
  wait
  exec 3>&- 4>&-
  cat racer.*.out >"$sessions_directory/out"
  cat racer.*.err >"$sessions_directory/err"
}

# finished CODE:COUNT...: so many racers ended with each exit code, and none with another.
finished() {
  same 'exit codes of the racers' "$*" "$(sort -n racer.*.status | uniq -c |
    sed 's/^ *\([0-9]*\) \(.*\)/\2:\1/' | paste -s -d ' ' -)"
}

# winner: the number of the one racer that ended with 0.
winner() { grep -lx 0 racer.*.status | sed 's/racer\.\(.*\)\.status/\1/'; }

# rounds COUNT RACERS RACE: runs the function RACE with the number of racers, in a new session each time.
rounds() {
  round=1
  while [ "$round" -le "$1" ]; do
    session "$3 by $2, round $round"
    quietly workctl init
    "$3" "$2"
    run workctl verify
    exits 0
    round=$((round + 1))
  done
}

# race COUNT FUNCTION: COUNT racers run FUNCTION, each with its number as the argument.
race() {
  line_up
  number=1
  while [ "$number" -le "$1" ]; do
    racer "$2" "$number"
    number=$((number + 1))
  done
  off
}
