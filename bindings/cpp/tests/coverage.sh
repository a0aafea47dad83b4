#!/bin/sh
# coverage.sh SOURCE: every function of the C headers is called by the binding, or stands in
# uncovered.txt with the reason; every operator of operators.tsv is among them, and every member that
# makes something of a signal has its function for pipes.
set -eu
source=$1
here=$source/bindings/cpp/tests
headers=$source/bindings/cpp/include
. "$source/Tests/tally.sh"

# A comment covers nothing.
used=$(find "$headers" -name '*.hpp' -exec sed 's,//.*,,' {} + | grep -ow 'belay_[a-z0-9_]*' | sort -u)
covered() {
  case " $(echo $used) " in *" $1 "*) ;; *) return 1 ;; esac
}
excused() { grep -q "^$1	." "$here/uncovered.txt"; }

functions=$("$source/scripts/api" names functions)
for name in $functions; do
  if covered "$name"; then
    if excused "$name"; then
      miss "$name is covered, and in uncovered.txt"
      continue
    fi
  elif ! excused "$name"; then
    miss "$name is neither covered nor in uncovered.txt"
    continue
  fi
  pass
done
for name in $(cut -f1 "$here/uncovered.txt"); do
  case " $(echo $functions) " in
  *" $name "*) ;;
  *) miss "uncovered.txt names $name, which there is none of" ;;
  esac
done

for name in $(cut -f2 "$source/docs/operators.tsv" | grep '^belay_' | sort -u); do
  try "the operator $name" covered "$name"
done

for name in $(sed -n 's/^  \(signal<\|signal_of<\|auto \|connectable<\|std::pair<signal\)[^(]* \([a-z_]*\)(.*/\2/p' \
  "$headers"/belay/operators/*.hpp | sort -u); do
  case $name in by_predicate | flat) continue ;; esac # private
  try "$name has no function for pipes" grep -qE "BELAY_PIPE_\($name\)|^inline auto $name\(" "$headers/belay/pipe.hpp"
done
tell 301
