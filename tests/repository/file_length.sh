#!/bin/sh
# A file is one idea: none in src/ or include/ is over 400 lines, but those that long_files.txt excuses.
#   file_length.sh ROOT
. "${0%/*}/findings.sh"

allowed=tests/repository/long_files.txt
{
  find src include \( -name '*.cc' -o -name '*.h' \) -exec wc -l {} + |
    awk '$2 != "total" && $1 > 400 { print $2 }' | while read -r file; do
      grep -q "^$file " "$allowed" || echo "$file: over 400 lines: is it one idea?"
    done
  grep -v '^#' "$allowed" | while read -r file _; do
    [ "$(wc -l <"$file" || echo 0)" -gt 400 ] || echo "$allowed: $file needs no excuse any more"
  done
} | conclude
