#!/bin/sh
# Nothing is left behind: no notes to oneself, no path of one machine, no trailing blanks.
#   leftovers.sh ROOT
. "${0%/*}/findings.sh"

# Written so that the patterns do not find themselves. Ada lives in examples only.
notes='\b(TO''DO|FIX''ME|X''XX|HA''CK)\b'
homes='/(ho''me|Use''rs)/[a-z]'
blanks='[[:blank:]]+$'

# grep over all files; finding nothing is no failure.
search() { written_files | grep -v '^LICENSE$' | xargs grep -nH "$@" -- || true; }

{
  search -E -e "$notes" -e "$blanks"
  search -E -e "$homes" | grep -v '/ada\b' || true
  search -F -e "$(pwd -P)/"
  case ${HOME:-/} in
    / | '') ;;
    *) search -F -e "$HOME/" ;;
  esac
} | conclude
