#!/bin/sh
# Everything that the pages name exists: the cases of the rule book, the files of links, the functions
# and constants of the C API.
set -eu
. "$SOURCE/Tests/tally.sh"
cd "$SOURCE"
pages="README.md CHANGELOG.md CONTRIBUTING.md $(echo docs/*.md)"

for name in $(grep -oh '`[a-z_]*/[A-Za-z0-9_]*`' docs/semantics.md docs/features.md | tr -d '`' | sort -u); do
  try "no case $name" grep -qs "CASE(${name#*/})" Tests/C/*/"${name%%/*}.c"
done

for page in $pages; do
  for target in $(grep -o '](\([^)#]*\)' "$page" | sed 's/^](//' | grep -v '^http' | sort -u); do
    try "$page links to $target" [ -e "$(dirname "$page")/$target" ]
  done
  # A name that ends in _ stands for several.
  for name in $(sed 's,`[a-z_]*/[A-Za-z0-9_]*`,,g' "$page" |
    grep -oE '\b(belay|BELAY)_[A-Za-z0-9_]*[A-Za-z0-9]\b' | sort -u); do
    case $name in belay_op | belay_shared | belay_static | belay_shim*) continue ;; esac
    try "$page: nothing is called $name" \
      grep -rqwE "$name" include CMakeLists.txt CMakePresets.json Sources
  done
done
tell
