#!/bin/sh
# The layers: includes point down only, and each heavy library has its one user.
#   layering.sh ROOT
. "${0%/*}/findings.sh"

find src include/workctl -name '*.h' -o -name '*.cc' | sort | while read -r file; do
  awk -v file="$file" '
    BEGIN {
      split("base journal store workload cli", names, " ")
      for (i in names) rank[names[i]] = i
      split(file, path, "/")
      public = path[1] == "include"
      layer = path[public ? 3 : 2]
    }
    function found(what) { printf "%s:%d: %s\n", file, NR, what }
    !/^[ \t]*#[ \t]*include[ \t]/ { next }
    /<CLI\// && file != "src/cli/parse.cc" { found("CLI11 is included by src/cli/parse.cc alone") }
    /<openssl\// && file != "src/base/digest.cc" && file !~ /^src\/workload\/[a-z_]*(sign|grant)[a-z_]*\.(cc|h)$/ {
      found("OpenSSL is included by src/base/digest.cc and by the signer in src/workload/ alone")
    }
    match($0, /"[^"]*"/) {
      target = substr($0, RSTART + 1, RLENGTH - 2)
      shared = sub(/^workctl\//, "", target)
      split(target, parts, "/")
      if (!(parts[1] in rank)) found("\"" target "\" is not named by its layer")
      else if (rank[parts[1]] > rank[layer]) found(layer " includes " parts[1] ", which is above it")
      else if (public && !shared) found("a public header includes a private one")
    }
  ' "$file"
done | conclude
