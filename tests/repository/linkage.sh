#!/bin/sh
# What the binary needs at run time: nothing but glibc's own libraries, or as a static binary nothing at all.
#   linkage.sh WORKCTL dynamic|static
set -eu
export LC_ALL=C

binary=$1
needed=$(readelf -d "$binary" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
others=$(printf '%s\n' "$needed" | grep -vE '^(libc\.so\.6|libm\.so\.6|ld-linux-[^/]*\.so\.[0-9])?$' || true)
if [ -n "$others" ]; then
  echo "needs shared libraries that are not glibc's: $others"
  exit 1
fi
if [ "$2" = static ]; then
  if [ -n "$needed" ] || readelf -l "$binary" | grep -q INTERP; then
    echo 'is not static: it wants a loader'
    exit 1
  fi
elif ! readelf -h "$binary" | grep -q 'Type:.*DYN'; then
  echo 'is not position-independent'
  exit 1
fi
