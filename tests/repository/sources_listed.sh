#!/bin/sh
# Every source, test script and manual page is named in the meson.build of its directory or of one
# above it: a file that nobody builds, runs or installs is dead.
#   sources_listed.sh ROOT
. "${0%/*}/findings.sh"

find src tests man -name '*.cc' -o -name '*.sh' -o -name '*.[1-8]' | sort | while read -r file; do
  directory=${file%/*}
  name=${file##*/}
  listed=no
  while :; do
    if [ -f "$directory/meson.build" ] && grep -qF "'$name'" "$directory/meson.build"; then
      listed=yes
      break
    fi
    case $directory in
      */*) ;;
      *) break ;;
    esac
    name=${directory##*/}/$name
    directory=${directory%/*}
  done
  [ "$listed" = yes ] || echo "$file: no meson.build names it"
done | conclude
