#!/bin/sh
# Nothing is left behind: no notes to oneself, no path of one machine, no trailing blanks.
#   leftovers.sh ROOT
. "${0%/*}/findings.sh"

# Written so that the patterns do not find themselves.
notes='\b(TO''DO|FIX''ME|X''XX|HA''CK)\b'
homes='/(ho''me|Use''rs)/[a-z]'
{
  written_files | grep -v '^LICENSE$' | while read -r file; do
    grep -nHE "$notes" "$file" || true
    grep -nHE "$homes" "$file" || true
    grep -nHF -e "$(pwd -P)/" "$file" || true
    case ${HOME:-/} in
      / | '') ;;
      *) grep -nHF -e "$HOME/" "$file" || true ;;
    esac
    grep -nHE '[[:blank:]]+$' "$file" || true
  done
} | conclude
