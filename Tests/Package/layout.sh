#!/bin/sh
# layout.sh FIRST_VERSION: sizes and offsets of the public structs.
# - They are those of layout.txt, which changes together with an intended change of a struct.
# - first_layout.txt is for good: a member of the first version keeps its place, and a later member
#   lies behind all of them. No line of that file is ever changed or removed; the lines of a new
#   struct are added.
set -eu
here=$SOURCE/Tests/Package
now=$WORK/layout.txt
"$SOURCE/scripts/api" layout >"$WORK/layout.c"
"$CC" -std=c99 -Wall -Wextra -Werror -I "$SOURCE/include" "$WORK/layout.c" -o "$WORK/layout"
"$WORK/layout" >"$now"
diff "$here/layout.txt" "$now"

# A line is "struct size" or "struct.member offset size".
awk '
  function complain(what) { print what; failed = 1 }
  FNR == NR && NF == 2 { first[$1] = $2 }
  FNR == NR { there[$1] = $0; if ($1 ~ /[.]size$/ && $2 == 0) grows[substr($1, 1, length($1) - 5)] }
  FNR == NR { next }
  { known[$1] = 1; type = $1; sub(/[.].*/, "", type) }
  !(type in first) { if (NF == 2) complain(type " is not in first_layout.txt"); next }
  NF == 2 && ($2 < first[type] || $2 > first[type] && !(type in grows)) {
    complain($1 " was " first[type] " bytes, and programs are built with that")
  }
  NF == 3 && $1 in there && there[$1] != $0 { complain($1 " has moved: " there[$1]) }
  NF == 3 && !($1 in there) && $2 < first[type] { complain($1 " is new, within the first version") }
  END { for (name in there) if (!known[name]) complain(name " has gone"); exit failed }
' "$here/first_layout.txt" "$now"

# The library has the same first sizes.
sed -n 's/^extension \(belay_[a-z_]*\): SizedStruct .* { \([0-9]*\) } }$/\1 \2/p' \
  "$SOURCE/Sources/BelayABI/SizedStructs.swift" | LC_ALL=C sort >"$WORK/first_sizes.txt"
sed -n 's/^\(belay_[a-z_]*\)[.]size 0 8$/\1/p' "$here/first_layout.txt" |
  while read -r type; do grep "^$type [0-9]*$" "$here/first_layout.txt"; done |
  grep -v -E '^belay_(owner_event|unannounced_write) ' | LC_ALL=C sort >"$WORK/first_layout_sizes.txt"
diff "$WORK/first_layout_sizes.txt" "$WORK/first_sizes.txt"

# Each of them has a case at its first size, at a larger one with zeroes, and with garbage.
grep -o -h -E '(AT_ALL_SIZES|FIRST_SIZE)\(belay_[a-z_]*, [0-9]+' "$SOURCE/Tests/C/API/struct_sizes.c" |
  sed 's/.*(//; s/,//' | LC_ALL=C sort -u >"$WORK/sizes_with_cases.txt"
if ! diff "$WORK/first_sizes.txt" "$WORK/sizes_with_cases.txt"; then
  echo "struct_sizes.c lacks a case of a struct, or has another first size"
  exit 1
fi

# The program of the first version has all structs, as they were in the first version of each.
"$1" sizes | LC_ALL=C sort >"$WORK/first_version.txt"
awk 'NF == 2' "$here/first_layout.txt" | LC_ALL=C sort >"$WORK/first_layout_all.txt"
if ! diff "$WORK/first_layout_all.txt" "$WORK/first_version.txt"; then
  echo "first_version.h or first_version.c lacks a struct, or has it not as it was first"
  exit 1
fi
