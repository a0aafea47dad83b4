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

mkdir "$dir/kept"
for journal in truncate persist wal; do
  expect 0 --rows 1050 --journal $journal "$dir/kept"
  is_same 840
  cmp "$dir/kept/plain.db" "$dir/kept/spied.db" || fail "$what: the databases differ"
done
counts wal write 20
counts wal sync 10

rm "$dir/kept/spied.db"
mkdir -p "$dir/kept/spied.db/in the way"
expect 1 --rows 100 "$dir/kept"
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
