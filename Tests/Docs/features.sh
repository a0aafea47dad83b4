#!/bin/sh
# docs/features.md has every row and every section that the name of a test, a comment or a page refers
# to: A3_20, A3-20, rule_1_2. And each row of the articles has a test, or a reason in section 2.8.
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

# The other way round: a row has a test with its number, or is in 2.8, and not both.
tested=$(find Tests bindings -path '*/target' -prune -o -path '*/.build' -prune -o -type f \
  \( -name '*.c' -o -name '*.cpp' -o -name '*.swift' -o -name '*.rs' -o -name '*.py' -o -name '*.js' \) -print |
  xargs grep -hoE "(CASE\\(|func |fn |def |test\\(['\"])[A-Za-z0-9_]*A[1-5]_[A-Za-z0-9_]*" |
  sed -E 's/^(CASE\(|func |fn |def |test\(.)//; s/A1_codes_([0-9]+)_and_([0-9]+)/A1_code_\1_A1_code_\2/' |
  grep -oE 'A[1-5]_((code|program)_)?[0-9]+' | tr '_' '-' | sort -u)
excused=$(sed -nE '/^## 2\.8 /,/^---/s/^\| (A[1-5]-[a-z0-9-]+) \| [^|]+ \|$/\1/p' "$page")
for id in $(sed -nE 's/^\| (A[1-5]-[a-z0-9-]+) \| .* \| .*/\1/p' "$page"); do
  case " $(echo $tested) , $(echo $excused) " in
  *" $id "*,*" $id "*) miss "$id has a test, and section 2.8 of $page excuses it" ;;
  *" $id "*) pass ;;
  *) miss "no test has the number of $id, and section 2.8 of $page has no reason" ;;
  esac
done
for id in $excused; do
  try "section 2.8 of $page excuses $id, which is no row" grep -qE "^\| $id \| .* \| " "$page"
done
tell
