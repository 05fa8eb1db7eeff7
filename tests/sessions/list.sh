#!/bin/sh
# workctl list
. "${0%/*}/harness.sh"

session 'by priority, then by age'
quietly workctl init
new_work --key a --now 1800000000
a=$id
new_work --key b --now 1800000001
b=$id
new_work --key c --now 1800000002 --priority 1
c=$id
run workctl list -o id
exits 0
out_is "$c
$a
$b"
run workctl list
exits 0
out_matches '^ID +STATE +PRIORITY'
same 'lines' 4 "$(output | wc -l)"
run workctl list -o json
json '.ok.items | length' 3
json .ok.next null
run workctl list -o jsonl
json .workload_id "$c
$a
$b"

session 'nothing there'
quietly workctl init
run workctl list
exits 0
out_is 'no workload matches'
run workctl list -o id
exits 0
out_empty

session 'filters'
quietly workctl init
new_work --key a --tenant acme
acme=$id
new_work --key b --application billing
billing=$id
new_work --key c --definition report
report=$id
new_work --key d
plain=$id
quietly workctl cancel "$plain"
run workctl list --tenant acme -o id
out_is "$acme"
run workctl list --application billing -o id
out_is "$billing"
run workctl list --definition report -o id
out_is "$report"
run workctl list --state cancelled -o id
out_is "$plain"
run workctl list --state CANCELLED --state ready -o id
same 'both' 4 "$(output | wc -l)"
run workctl list --tenant acme --application billing -o id
out_empty

session 'page by page'
quietly workctl init
for number in 1 2 3 4 5; do
  new_work --key "$number" --now "180000000$number"
done
quietly workctl list -o id
all=$(output)
pages=
cursor=
while :; do
  run workctl list --limit 2 ${cursor:+--cursor "$cursor"} -o json
  exits 0
  pages="$pages$(jq -r '.ok.items[].workload_id' "$sessions_directory/out")
"
  cursor=$(jq -r '.ok.next // empty' "$sessions_directory/out")
  [ -n "$cursor" ] || break
  err_has '--cursor'
done
same 'the pages together' "$all" "$(printf %s "$pages")"
run workctl list --cursor nonsense
refused 2 cursor
run workctl list --limit 0
refused 2 '--limit'
