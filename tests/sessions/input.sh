#!/bin/sh
# Input that cannot be: each with a message of its own, and nothing changed.
. "${0%/*}/harness.sh"

quiet_store() {
  quietly workctl init
  new_work
  before=$(log_digest)
}

session 'JSON that is none, with its line and column'
quiet_store
printf '{\n  "a": 1,\n  "b": x\n}\n' >bad.json
run workctl create --definition d --input @bad.json
refused 2 'bad.json'
err_has 'line 3'
err_has 'column 8'
run workctl create --definition d --input '{"a": 1} 2'
refused 2 'line 1'
run workctl create --definition d --input ''
refused 2 '--input'
run workctl create --definition d --input '1e999'
exits 2
run workctl create --definition d --input '"\ud800"'
exits 2
run workctl create --from bad.json
refused 2 'line 3'
unchanged "$before"

session 'text that is not UTF-8'
quiet_store
bad=$(printf 'a\377b')
run workctl create --definition "$bad"
refused 2 'UTF-8'
run workctl create --definition d --input "\"$bad\""
exits 2
printf '"a\377b"' >bad.json
run workctl create --definition d --input @bad.json
refused 2 'UTF-8'
unchanged "$before"

session 'nesting of 128 or more'
quiet_store
nested() { printf '%*s' "$1" '' | tr ' ' '['; printf '%*s' "$1" '' | tr ' ' ']'; }
run workctl create --definition d --input "$(nested 128)"
refused 2 '128'
nested 100000 >deep.json
run workctl create --definition d --input @deep.json
refused 2 '128'
unchanged "$before"
run workctl create --definition d --input "$(nested 127)"
exits 0

session 'durations that cannot be'
quiet_store
for duration in 90 1x s -5s 1.5h 5m5m 5s5m 99999999999999999999s '1 s' 1H; do
  run workctl claim "$id" --lease "$duration"
  refused 2 '--lease'
  run workctl list --lock-timeout "$duration"
  refused 2 '--lock-timeout'
done
unchanged "$before"

session 'instants that cannot be'
quiet_store
for instant in tomorrow 2026-02-30T00:00:00Z 2026-11-30T20:00:00 2026-11-30 25:00 +5 2026-13-01T00:00:00Z \
  2026-11-30T24:00:01Z 1.5 99999999999999999999; do
  run workctl create --definition d --not-before "$instant"
  refused 2 '--not-before'
  run workctl claim --next --now "$instant"
  refused 2 '--now'
done
unchanged "$before"

session 'instants as people write them'
quiet_store
for instant in 2027-01-15T08:00:00Z 2027-01-15T09:00:00+01:00 2027-01-15T08:00:00.25Z 1800000000 +1h; do
  new_work --key "$instant" --not-before "$instant" --now 2027-01-15T07:00:00Z
  run workctl show "$id" -o jsonl
  json .next_attempt_at 1800000000
done

session 'states and dependencies that cannot be'
quiet_store
run workctl create --definition d --after "$id=DONE"
refused 2 '"DONE"'
run workctl create --definition d --after "=SUCCEEDED"
refused 2 '--after'
run workctl list --state REDY
refused 2 REDY
err_has READY
unchanged "$before"

session 'subjects that cannot be'
quiet_store
run workctl create --definition d --requested-by ada
refused 2 '--requested-by'
run workctl create --definition d --requested-by robot:r2
refused 2 '"robot"'

session 'numbers that make no sense where they stand'
quiet_store
run workctl claim "$id" --if-version 0
refused 2 '--if-version'
run workctl claim "$id" --if-version -1
refused 2 '--if-version'
run workctl create --definition d --max-attempts 4294967296
refused 2 '--max-attempts'
unchanged "$before"
