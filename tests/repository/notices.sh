#!/bin/sh
# The checks of the tree can fail: each is given a small tree with one fault, and must name it.
set -eu

checks=$(cd "${0%/*}" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# A sound tree, small.
fresh_tree() {
  rm -rf "$tree"
  mkdir -p "$tree/src/base" "$tree/src/cli" "$tree/include/workctl/base" "$tree/tests/repository" \
    "$tree/man" "$tree/subprojects/packagefiles/fmt"
  echo '#include "workctl/base/digest.h"' >"$tree/src/base/digest.cc"
  echo '#include "base/digest.h"' >"$tree/src/cli/main.cc"
  echo '#pragma once' >"$tree/include/workctl/base/digest.h"
  echo "files('base/digest.cc', 'cli/main.cc')" >"$tree/src/meson.build"
  : >"$tree/tests/repository/long_files.txt"
  : >"$tree/subprojects/packagefiles/fmt/meson.build"
  cat >"$tree/subprojects/fmt.wrap" <<WRAP
[wrap-file]
directory = fmt
source_url = https://example.org/fmt.tar.gz
source_filename = fmt.tar.gz
source_hash = $(printf '%064d' 0)
patch_directory = fmt
[provide]
fmt = fmt_dep
WRAP
}

# accepts CHECK: it finds nothing in the tree as it is.
accepts() {
  if ! "$checks/$1.sh" "$tree" >"$tree.out"; then
    echo "$1 finds fault with a sound tree: $(cat "$tree.out")"
    failed=1
  fi
}

# notices CHECK TEXT: it finds the fault in the tree and says TEXT; then the tree is sound again.
notices() {
  if "$checks/$1.sh" "$tree" >"$tree.out"; then
    echo "$1 does not notice: $2"
    failed=1
  elif ! grep -qF -- "$2" "$tree.out"; then
    echo "$1 does not say '$2' but: $(cat "$tree.out")"
    failed=1
  fi
  rm -f "$tree.out"
  fresh_tree
}

fresh_tree
for check in layering file_length leftovers sources_listed wraps; do
  accepts "$check"
done

echo '#include "cli/output.h"' >>"$tree/src/base/digest.cc"
notices layering 'src/base/digest.cc:2: base includes cli, which is above it'
echo '#include "workctl/cli/output.h"' >>"$tree/include/workctl/base/digest.h"
notices layering 'digest.h:2: base includes cli, which is above it'
echo '#include "base/private.h"' >>"$tree/include/workctl/base/digest.h"
notices layering 'a public header includes a private one'
echo '#include "digest.h"' >>"$tree/src/base/digest.cc"
notices layering 'is not named by its layer'
echo '#include <CLI/CLI.hpp>' >>"$tree/src/cli/main.cc"
notices layering 'CLI11 is included by src/cli/parse.cc alone'
echo '#include <openssl/evp.h>' >>"$tree/src/cli/main.cc"
notices layering 'OpenSSL is included by'

yes '' | head -n 401 >"$tree/src/base/digest.cc"
notices file_length 'src/base/digest.cc: over 400 lines'
echo 'src/base/digest.cc because' >"$tree/tests/repository/long_files.txt"
notices file_length 'src/base/digest.cc needs no excuse any more'

printf '// TO%s: later\n' DO >>"$tree/src/base/digest.cc"
notices leftovers 'src/base/digest.cc:2:'
printf '// see /ho%s/somebody/notes\n' me >>"$tree/src/base/digest.cc"
notices leftovers 'src/base/digest.cc:2:'
printf '// in %s/src\n' "$(cd "$tree" && pwd -P)" >>"$tree/src/base/digest.cc"
notices leftovers 'src/base/digest.cc:2:'
echo 'blank at the end ' >>"$tree/src/base/digest.cc"
notices leftovers 'src/base/digest.cc:2:'

: >"$tree/src/base/forgotten.cc"
notices sources_listed 'src/base/forgotten.cc: no meson.build names it'

sed -i 's/^source_hash.*/source_hash = 0/' "$tree/subprojects/fmt.wrap"
notices wraps 'has no SHA-256 digest'
sed -i 's/https/http/' "$tree/subprojects/fmt.wrap"
notices wraps 'is not fetched from an https address'
rm "$tree/subprojects/packagefiles/fmt/meson.build"
notices wraps 'packagefiles/fmt has no meson.build'
mkdir "$tree/subprojects/packagefiles/other"
notices wraps 'packagefiles/other: no wrap uses it'

exit "$failed"
