#!/bin/sh
# Something else in the place of a file of the store: it is not followed, not written to and not waited for.
. "${0%/*}/hostile.sh"

# replace NAME HOW: puts something else in the place of a file of the store.
replace() {
  mv "$store/$1" elsewhere
  before_elsewhere=$(sha256sum <elsewhere)
  case $2 in
    'a symbolic link') ln -s "$PWD/elsewhere" "$store/$1" ;;
    'a link to nowhere') ln -s "$PWD/nowhere" "$store/$1" ;;
    'a FIFO') mkfifo -m 600 "$store/$1" ;;
    'a directory') mkdir -m 700 "$store/$1" ;;
    'a hard link') ln elsewhere "$store/$1" ;;
    'a file that others may write') cp elsewhere "$store/$1" && chmod 620 "$store/$1" ;;
  esac
}

# put_back NAME: as it was; what stood outside of the store was not touched.
put_back() {
  same 'the file elsewhere' "$before_elsewhere" "$(sha256sum <elsewhere)"
  same 'nothing was made at the end of a link' no "$([ -e nowhere ] && echo yes || echo no)"
  rm -rf "${store:?}/$1"
  mv elsewhere "$store/$1"
}

for name in work.jsonl work.lock work.mark; do
  while IFS='|' read -r what message; do
    session "$what in the place of $name"
    stored
    replace "$name" "$what"
    each_refused 7 "$name $message" 'create --definition d' "cancel $held"
    case $name in
      work.jsonl) each_refused 7 "$name $message" list init ;;
      work.lock) readers_work ;;
      work.mark) each_refused 7 "$name $message" verify repair ;;
    esac
    put_back "$name"
    kept
  done <<'CASES'
a symbolic link|is a symbolic link, where a file should be
a link to nowhere|is a symbolic link, where a file should be
a FIFO|is not a regular file
a directory|is a directory, where a file should be
a hard link|has 2 names (hard links), it should have one
a file that others may write|can be written by others (mode 0620)
CASES
done

for what in 'a symbolic link' 'a file'; do
  session "$what in the place of archive/, where a torn end is to go"
  stored
  mkdir elsewhere
  case $what in
    'a symbolic link') ln -s "$PWD/elsewhere" "$store/archive" ;;
    'a file') touch "$store/archive" ;;
  esac
  printf '{"torn' >>"$store/work.jsonl"
  each_refused 7 'archive is not a directory' 'create --definition d' recover
  same 'names elsewhere' '' "$(ls elsewhere)"
  rm "$store/archive"
  run workctl recover
  exits 0
done

session 'a link to the directory of a store is the store'
stored
ln -s "$store" link
run workctl --store link create --definition d -o id
exits 0
made=$(output)
run workctl show "$made" -o id
exits 0
out_is "$made"

session 'a directory that others may write is no place for a store'
stored
for mode in 770 702 720; do
  chmod "$mode" "$store"
  writers_refused 7 "can be written by others (mode 0$mode)"
  each_refused 7 "can be written by others (mode 0$mode)" list "show $id" init
done
err_has "chmod go-w $store"
chmod 700 "$store"
kept

session 'where the sticky bit protects the files others may write to the directory'
stored
chmod 1777 "$store"
readers_work
goes_on

session 'a signing key that others may read is not used'
stored
quietly workctl init --store fresh
chmod 640 fresh/keys/signing-key.pem
run workctl create --store fresh --definition d
refused 7 'keys/signing-key.pem can be read by others (mode 0640)'
err_has 'chmod go='
chmod 600 fresh/keys/signing-key.pem
run workctl create --store fresh --definition d
exits 0

session 'a link in the place of the signing key, or of its directory, is not followed'
quietly workctl init
keys=$XDG_STATE_HOME/workctl/keys
mv "$keys/signing-key.pem" elsewhere
ln -s "$PWD/elsewhere" "$keys/signing-key.pem"
run workctl create --definition d
refused 7 'is a symbolic link'
rm "$keys/signing-key.pem"
mkfifo "$keys/signing-key.pem"
run timeout 20 workctl create --definition d
refused 7 'is not a regular file'
rm "$keys/signing-key.pem"
mv elsewhere "$keys/signing-key.pem"
mv "$keys" keys
ln -s "$PWD/keys" "$keys"
run workctl create --definition d
refused 7 'keys is not a directory'

session 'a signing key that is none is named, and another grant may be given'
quietly workctl init
echo nonsense >"$XDG_STATE_HOME/workctl/keys/signing-key.pem"
before=$(log_digest)
run workctl create --definition d
refused 7 "this store's own signing key is none"
err_has '--grant FILE'
unchanged "$before"
