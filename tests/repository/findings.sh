# Shared by the checks of the tree; to be sourced. A check goes to the root it is given and pipes what
# it finds, one line each, into `conclude`.
# shellcheck shell=sh
set -eu
export LC_ALL=C
cd "$1"

# The files of the tree that people write.
written_files() {
  find . \( -name .git -o -name 'build*' -type d -o -path ./tests/conformance -o -path ./tests/fuzz/corpus -o \
    -path './subprojects/*' -type d ! -path './subprojects/packagefiles*' \) -prune -o -type f -print |
    sed 's|^\./||' | sort
}

# Prints what comes in and fails if anything did.
conclude() {
  if grep .; then
    exit 1
  fi
}
