#!/bin/sh
# What the pages name is there: the cases of the rule book, the files they link to, the functions and
# constants of the C API.
set -eu
cd "$SOURCE"
pages="README.md CHANGELOG.md CONTRIBUTING.md $(echo docs/*.md)"
checked=0 failed=0

missing() {
  echo "FAILED $1"
  failed=$((failed + 1))
}

for name in $(grep -oh '`[a-z_]*/[A-Za-z0-9_]*`' docs/semantics.md docs/features.md | tr -d '`' | sort -u); do
  checked=$((checked + 1))
  grep -qs "CASE(${name#*/})" Tests/C/*/"${name%%/*}.c" || missing "no case $name"
done

for page in $pages; do
  for target in $(grep -o '](\([^)#]*\)' "$page" | sed 's/^](//' | grep -v '^http' | sort -u); do
    checked=$((checked + 1))
    [ -e "$(dirname "$page")/$target" ] || missing "$page links to $target"
  done
  # A name that ends in _ stands for several.
  for name in $(sed 's,`[a-z_]*/[A-Za-z0-9_]*`,,g' "$page" |
    grep -oE '\b(belay|BELAY)_[A-Za-z0-9_]*[A-Za-z0-9]\b' | sort -u); do
    case $name in belay_op | belay_shared | belay_static | belay_shim*) continue ;; esac
    checked=$((checked + 1))
    grep -rqwE "$name" include CMakeLists.txt CMakePresets.json Sources ||
      missing "$page: nothing is called $name"
  done
done
echo "$((checked - failed)) passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$checked" -gt 0 ]
