#!/bin/sh
# coverage.sh SOURCE: every operator of operators.tsv is called by the binding, and every member that
# makes something of a signal has its function for pipes. `scripts/api check` looks at all functions.
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

for name in $(cut -f2 "$source/docs/operators.tsv" | grep '^belay_' | sort -u); do
  try "the operator $name" covered "$name"
done

for name in $(sed -n 's/^  \(signal<\|signal_of<\|auto \|connectable<\|std::pair<signal\)[^(]* \([a-z_]*\)(.*/\2/p' \
  "$headers"/belay/operators/*.hpp | sort -u); do
  case $name in beside | by_predicate | extreme) continue ;; esac # private
  try "$name has no function for pipes" grep -qE "BELAY_PIPE_\($name\)|^inline auto $name\(" "$headers/belay/pipe.hpp"
done
tell 230
