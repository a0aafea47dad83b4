#!/bin/sh
# Every operator has each kind of marble case, or a reason in Tests/Marbles/exempt.tsv.
set -eu
export LC_ALL=C
cd "$SOURCE"
mkdir -p "$WORK"
scripts/api names fallible > "$WORK/marbles.calls"
check() {
  awk -f Tests/Docs/marbles.awk "$WORK/marbles.calls" docs/operators.tsv "$1" Tests/Marbles/*/*.txt
}

check Tests/Marbles/exempt.tsv
# Without the reasons the check reports every case that they excuse.
: > "$WORK/exempt.tsv"
if check "$WORK/exempt.tsv" > "$WORK/marbles.missing"; then
  echo "the check finds nothing where nothing is excused"
  exit 1
fi
excused=$(grep -vc '^#' Tests/Marbles/exempt.tsv)
found=$(wc -l < "$WORK/marbles.missing")
[ "$found" -eq "$excused" ] || { echo "$excused are excused, $found are missing"; exit 1; }
