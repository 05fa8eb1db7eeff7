#!/bin/sh
# The wraps are well-formed: fetched over TLS, pinned by digest, and each overlay belongs to one.
#   wraps.sh ROOT
. "${0%/*}/findings.sh"

cd subprojects
{
  for wrap in *.wrap; do
    expect() { grep -qE "$2" "$wrap" || echo "$wrap: $1"; }
    expect 'is not a [wrap-file]' '^\[wrap-file\]$'
    expect 'names no directory' '^directory = [A-Za-z0-9._-]+$'
    expect 'is not fetched from an https address' '^source_url = https://[^ ]+$'
    expect 'names no source file' '^source_filename = [A-Za-z0-9._-]+$'
    expect 'has no SHA-256 digest of its source' '^source_hash = [0-9a-f]{64}$'
    expect 'provides nothing' '^\[provide\]$'
    sed -n 's/^patch_directory = //p' "$wrap" | while read -r overlay; do
      [ -f "packagefiles/$overlay/meson.build" ] || echo "$wrap: packagefiles/$overlay has no meson.build"
    done
  done
  for overlay in packagefiles/*/; do
    overlay=$(basename "$overlay")
    grep -qx "patch_directory = $overlay" -- *.wrap || echo "packagefiles/$overlay: no wrap uses it"
  done
} | conclude
