#!/bin/sh
# Fuzzes every target for a while, from the corpus in the repository on.
#
#   run.sh FUZZER SECONDS-EACH [TARGET...]
#
# FUZZER is the program of a build with -Dfuzz=true. WORKCTL_SEED chooses what is tried (default: another each
# time). What is found is left in the working directory as crash-*, to be put into corpus/.
set -eu

fuzzer=$1
seconds=$2
shift 2
corpus=$(dirname "$0")/corpus
seed=${WORKCTL_SEED:-$(date +%s)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- json patch line log operation legacy

for target in "$@"; do
  mkdir "$work/$target"
  if ! WORKCTL_FUZZ_TARGET=$target "$fuzzer" -seed="$seed" -max_total_time="$seconds" -max_len=65536 \
    -rss_limit_mb=4096 -print_final_stats=1 "$work/$target" "$corpus/$target" >"$work/output" 2>&1; then
    tail -n 50 "$work/output"
    echo "fuzz: $target failed, seed $seed"
    exit 1
  fi
  echo "fuzz: $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/output") executions," \
    "$(find "$work/$target" -type f | wc -l) new inputs kept, $seconds s, seed $seed"
done
