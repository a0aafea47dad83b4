#!/bin/sh
# The README shows lines of one program in several languages. They stand in those programs, apart from
# spaces. Its second program in Swift is Examples/hello; c_blocks.sh compares that in C.
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
sh "$SOURCE/Tests/Docs/extract.sh" "$SOURCE/README.md" swift "$WORK/languages"
sed '/^\/\//d' "$SOURCE/Examples/hello/hello.swift" >"$WORK/languages/hello.swift"
try "the README's program in Swift is Examples/hello" diff "$WORK/languages/hello.swift" "$WORK/languages/1.swift"
tell
