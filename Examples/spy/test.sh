#!/bin/sh
# test.sh PROGRAM: the whole workload, then the other journals, what cannot be opened, and options.
# The program itself compares what it sees with what the system counts, and one run with the other.
set -u

program=$1
. "$(dirname "$0")/../program.sh"

# counts FILE OPERATION LEAST: so many calls at least, none of which failed.
counts() {
  awk -v file="$1" -v operation="$2" -v least="$3" \
    '$1 == file && $2 == operation { ok = $3 >= least && $7 == 0 } END { exit !ok }' \
    "$dir/out" || fail "$what: not $3 times $1 $2"
}
is_same() {
  says out '^integrity_check: ok, '"$1"' rows$'
  says out '^the answers and the database are the same as without the spy$'
  is_silent
}

expect 0 --every 0.05
is_same 8000
says out '^ *[0-9.]* s  read  *[0-9]*/s .* MB/s .* us  write .* MB/s .* us  sync .* us$'
# A transaction syncs its journal, the journal's directory and the database.
for kind in read write; do counts database $kind 5000; done
counts database sync 100
counts database truncate 1
counts journal write 1000
counts journal sync 100
counts temporary write 1
if grep -q '^wchar' /proc/self/io 2>/dev/null; then
  says out '^written according to the system: [0-9]* bytes$'
fi

mkdir "$dir/temporary"
export TMPDIR="$dir/temporary"
for journal in truncate persist wal; do
  mkdir "$dir/$journal"
  expect 0 --rows 1050 --journal $journal "$dir/$journal"
  is_same 840
  cmp "$dir/$journal/plain.db" "$dir/$journal/spied.db" || fail "$what: the databases differ"
  expect 0 --rows 105 --journal $journal
  [ -z "$(ls "$dir/temporary")" ] || fail "$what: it leaves $(ls -R "$dir/temporary")"
done
expect_full --rows 105
"$program" --rows 105 2>/dev/null | true
[ -z "$(ls "$dir/temporary")" ] || fail "without a reader: it leaves $(ls "$dir/temporary")"
expect 0 --rows 1050 --journal wal
counts wal write 20
counts wal sync 10

for file in plain.db spied.db plain.db-journal spied.db-wal; do
  rm -rf "$dir/taken"
  mkdir "$dir/taken"
  echo 'of somebody' >"$dir/taken/$file"
  expect 1 --rows 100 "$dir/taken"
  says err 'there is a database already'
  [ "$(cat "$dir/taken/"*)" = 'of somebody' ] || fail "$what: $file is not what it was"
done
mkdir "$dir/linked"
ln -s none/spied.db "$dir/linked/spied.db"
expect 1 --rows 100 "$dir/linked"
says err 'spied.db: .*unable to open database file$'
expect 1 "$dir/none"
says err 'none/plain.db: .*unable to open database file$'

expect 0 --help
says out '--journal MODE'
for bad in --nonsense --rows '--rows 0' '--rows 1x' '--rows -1' '--journal memory' '--every 0' \
  '--every nan' 'one two'; do
  # Several words on purpose.
  # shellcheck disable=SC2086
  expect 2 $bad
  says err usage
done

end
