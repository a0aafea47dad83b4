#!/bin/sh
# No file uses a name of Tests/Docs/old_names.txt.
set -eu
. "$SOURCE/Tests/tally.sh"
cd "$SOURCE"
list=Tests/Docs/old_names.txt
while read -r name place; do
  any=-i
  case $name in
  '#'* | '') continue ;;
  =*) any= name=${name#=} ;;
  esac
  found=$(grep -rnIwE $any --exclude-dir=build --exclude-dir=.build --exclude-dir=.git \
    --exclude-dir=target --exclude="$(basename "$list")" -e "$name" "${place:-.}" | head -n 3)
  try "$name is used again: $found" [ -z "$found" ]
done <"$list"
tell
