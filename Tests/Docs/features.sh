#!/bin/sh
# docs/features.md has every row and every section that the name of a test, a comment or a page refers
# to: A3_20, A3-20, rule_1_2.
set -eu
. "$SOURCE/Tests/tally.sh"
cd "$SOURCE"
page=docs/features.md
rows='(rule_[0-9]+_[0-9]+|A[0-9]_codes?_[0-9]+(_and_[0-9]+)?|A[0-9]_program_[0-9]+|([ACD][0-9]?|F6)[-_][0-9]+)'

search() {
  grep -rE --exclude-dir=build --exclude-dir=target --exclude-dir=.build \
    --exclude="${page##*/}" --exclude=features.sh "$@" Tests bindings Examples docs CONTRIBUTING.md
}

# A name may carry several: A1_01_A1_02, A1_codes_6_and_7.
for id in $(search -ho "(^|[^A-Za-z0-9])$rows" | sed -E 's/^[^A-Za-z]//
    s/^(A[0-9])_codes_([0-9]+)_and_([0-9]+)$/\1_code_\2\n\1_code_\3/' | tr '_' '-' | sort -u); do
  case $id in
  rule-*) row="### $(echo "${id#rule-}" | sed 's/-/\\./') " ;;
  *) row="\\| $id \\| .* \\| " ;; # three cells: 2.7 has two
  esac
  if grep -qE "^$row" "$page"; then
    pass
  else
    miss "$page has no row $id, which is named here:"
    search -n "$(echo "$id" | sed 's/-code-/_codes?_.*/; s/-/[-_]/g')" | head -n 3
  fi
done
tell
