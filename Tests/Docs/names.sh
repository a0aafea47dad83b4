#!/bin/sh
# Everything that the pages name exists: the cases of the rule book, the files of links, the functions,
# constants and variables. A name that only a comment has does not exist.
set -eu
. "$SOURCE/Tests/tally.sh"
cd "$SOURCE"
pages="README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md $(echo docs/*.md docs/site/*.md docs/site/*/*.md Examples/*.md Benchmarks/*.md \
  bindings/*/*.md bindings/*/docs/*.md)"

known=$(mktemp)
trap 'rm -f "$known"' EXIT
trap 'exit 1' HUP INT TERM
{
  find include Hosts Sources Tests/API bindings Package.swift -name target -prune -o -type f \
    \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.swift' -o -name '*.rs' \) -exec awk '
    FNR == 1 { is_inside = 0 }
    {
      for (text = $0; text != ""; ) {
        block = index(text, "/*")
        line = index(text, "//")
        if (is_inside) {
          end = index(text, "*/")
          is_inside = !end
          text = end ? substr(text, end + 2) : ""
        } else if (block && (!line || block < line)) {
          print substr(text, 1, block - 1)
          text = substr(text, block + 2)
          is_inside = 1
        } else {
          print line ? substr(text, 1, line - 1) : text
          text = ""
        }
      }
    }' {} +
  find CMakeLists.txt CMakePresets.json cmake bindings Benchmarks Tests scripts -name target -prune -o \
    -type f \( -name CMakeLists.txt -o -name CMakePresets.json -o -name '*.cmake' -o -name test.sh \
    -o -path 'bindings/*.py' -o -path 'scripts/*' \) -exec sed 's/#.*//' {} +
} | grep -oE '\b(belay|BELAY)_[A-Za-z0-9_]*' | sort -u >"$known"

for name in $(grep -oh '`[a-z_]*/[A-Za-z0-9_]*`' docs/semantics.md docs/features.md | tr -d '`' | sort -u); do
  try "no case $name" grep -qs "CASE(${name#*/})" Tests/C/*/"${name%%/*}.c"
done

for page in $pages; do
  # Rust's links to its own items are rustdoc's to check.
  for target in $(sed '/^```/,/^```/d' "$page" | grep -o '](\([^)#]*\)' | sed 's/^](//' |
    grep -v -e '^http' -e '::' | sort -u); do
    try "$page links to $target" [ -e "$(dirname "$page")/$target" ]
  done
  # A name that ends in _ stands for several.
  for name in $(sed 's,`[a-z_]*/[A-Za-z0-9_]*`,,g' "$page" |
    grep -oE '\b(belay|BELAY)_[A-Za-z0-9_]*[A-Za-z0-9]\b' | sort -u); do
    try "$page: nothing is called $name" grep -qx "$name" "$known"
  done
done
tell
