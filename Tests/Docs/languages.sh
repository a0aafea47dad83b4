#!/bin/sh
# The README shows lines of one program in several languages. They stand in those programs, apart from
# spaces.
set -eu
. "$SOURCE/Tests/tally.sh"
for program in "$SOURCE"/Examples/wordcount/wordcount.*; do
  # | [C](Examples/wordcount/wordcount.c) | `code` |, where a | of the code is \|
  code=$(sed -n "s@^| \\[.*\\](Examples/wordcount/${program##*/}) | \`\\(.*\\)\` |\$@\\1@p" "$SOURCE/README.md" |
    sed 's/\\|/|/g' | tr -d ' ')
  if [ -n "$code" ] && tr -d ' \n' <"$program" | grep -qF -- "$code"; then
    pass
  else
    miss "the README shows other lines than ${program##*/}"
  fi
done
tell
