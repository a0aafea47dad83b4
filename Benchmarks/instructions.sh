#!/bin/sh
# instructions.sh [--update] BENCH: what each of Belay's rows costs in instructions and in
# allocations, counted by callgrind with a second thread alive. Compares with instructions.tsv and fails where a
# figure is more than 3 % away, in either direction: what became cheaper is written down too.
# --update writes instructions.tsv instead. Exits with 77 where callgrind is missing, or with 1 if
# BELAY_REQUIRE_BENCHMARKS is 1.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
update=
if [ "$1" = --update ]; then
  update=1
  shift
fi
bench=$1

missing() {
  echo "skipped: $1"
  [ "${BELAY_REQUIRE_BENCHMARKS:-}" != 1 ] || exit 1
  exit 77
}
command -v valgrind >/dev/null || missing "no valgrind"
[ "$(uname -m)" = x86_64 ] || missing "the figures are those of x86-64"

work=$(mktemp -d "${TMPDIR:-/tmp}/instructions.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
status=0
# Instructions of all threads, in one file for each dump.
valgrind --quiet --tool=callgrind --callgrind-out-file="$work/out" \
  "$bench" --count >"$work/counts" 2>"$work/errors" || status=$?
if grep -q 'built without' "$work/errors"; then missing "built without valgrind's headers"; fi
if [ "$status" -ne 0 ]; then
  cat "$work/errors"
  exit "$status"
fi

# Of each dump: its row, its instructions, and how often the allocator was entered from elsewhere.
awk -F '\t' '
  FNR == 1 { dump = FILENAME ~ /counts$/ ? 0 : 1; row = "" }
  !dump { count[$1] = $2; order[++rows] = $1; next }
  /^desc: Trigger: Client Request: / { row = $0; sub(/.*: /, "", row); next }
  /^c?fn=\([0-9]+\) / {
    id = $0; sub(/^[^(]*/, "", id); sub(/ .*/, "", id)
    name = $0; sub(/^[^ ]* /, "", name)
    names[FILENAME, id] = name
  }
  /^fn=/ {
    caller = $0; sub(/^fn=/, "", caller); sub(/ .*/, "", caller)
    next
  }
  /^cfn=/ {
    id = $0; sub(/^cfn=/, "", id); sub(/ .*/, "", id)
    next
  }
  /^calls=/ {
    calls = $0; sub(/^calls=/, "", calls); sub(/ .*/, "", calls)
    if (names[FILENAME, id] ~ allocators && names[FILENAME, caller] !~ allocators)
      allocations[row] += calls
  }
  /^(summary|totals): / {
    total = $0; sub(/^[a-z]*: /, "", total)
    if (row != "" && total > instructions[row]) instructions[row] = total + 0
  }
  END {
    for (i = 1; i <= rows; i++) {
      row = order[i]
      printf "%s\t%.2f\t%.3f\n", row, instructions[row] / count[row], allocations[row] / count[row]
    }
  }' allocators='^(malloc|calloc|realloc|posix_memalign|aligned_alloc|memalign|_int_malloc)$' \
  "$work/counts" "$work"/out.* >"$work/found"

if [ -n "$update" ]; then
  {
    printf 'row\tinstructions\tallocations\n'
    cat "$work/found"
  } >"$here/instructions.tsv"
  exit
fi

awk -F '\t' '
  function away(found, expected) { return found > expected * 1.03 || found < expected * 0.97 }
  NR == FNR { if (FNR > 1) { instructions[$1] = $2; allocations[$1] = $3 }; next }
  {
    seen[$1] = 1
    if (!($1 in instructions)) {
      print "FAILED " $1 ": instructions.tsv does not know it"; bad++
      next
    }
    note = "as written"
    if (away($2, instructions[$1]) || away($3, allocations[$1])) { note = "FAILED"; bad++ }
    printf "%s: %s instructions (%s), %s allocations (%s): %s\n", $1, $2, instructions[$1], $3,
      allocations[$1], note
  }
  END {
    for (row in instructions) if (!(row in seen)) { print "FAILED " row ": was not counted"; bad++ }
    if (bad) print "instructions.sh --update writes what was counted"
    exit bad > 0
  }' "$here/instructions.tsv" "$work/found"
