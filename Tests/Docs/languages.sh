#!/bin/sh
# The README's lines of one program in several languages stand in those programs, but for spaces.
set -eu
passed=0 failed=0
for program in "$SOURCE"/Examples/wordcount/wordcount.*; do
  # | [C](Examples/wordcount/wordcount.c) | `code` |, where a | of the code is \|
  code=$(sed -n "s@^| \\[.*\\](Examples/wordcount/${program##*/}) | \`\\(.*\\)\` |\$@\\1@p" "$SOURCE/README.md" |
    sed 's/\\|/|/g' | tr -d ' ')
  if [ -n "$code" ] && tr -d ' \n' <"$program" | grep -qF -- "$code"; then
    passed=$((passed + 1))
  else
    echo "FAILED the README shows other lines than ${program##*/}"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
