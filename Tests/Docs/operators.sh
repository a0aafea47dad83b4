#!/bin/sh
# Every operator of the headers is in docs/operators.tsv, and the other way round, with a comment and
# a page; the pages are what scripts/operator-pages makes.
set -eu
export LC_ALL=C
mkdir -p "$WORK"
status=0
fail() { echo "$1"; status=1; }

cut -f 2 "$SOURCE/docs/operators.tsv" | tail -n +2 | grep '^belay_' | sort -u > "$WORK/listed"
cat "$SOURCE"/include/belay/*.h | grep -o 'belay_op_[a-z_0-9]*(' | tr -d '(' | grep -v '^belay_op_release$' |
  sort -u > "$WORK/operators"
cat "$SOURCE"/include/belay/*.h | grep -o 'belay_[a-z_0-9]*(' | tr -d '(' | sort -u > "$WORK/declared"
for name in $(comm -23 "$WORK/operators" "$WORK/listed"); do fail "not in docs/operators.tsv: $name"; done
for name in $(comm -23 "$WORK/listed" "$WORK/declared"); do fail "in docs/operators.tsv, not in the headers: $name"; done

"$SOURCE/scripts/operator-pages" "$WORK/operators.d" || fail "a page could not be made"
diff -r "$SOURCE/docs/operators" "$WORK/operators.d" > "$WORK/operators.diff" ||
  fail "docs/operators is not what scripts/operator-pages makes: run it"
exit $status
