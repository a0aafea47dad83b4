#!/bin/sh
# test.sh PROGRAM...: counts input.txt, compares with expected.txt, and asks for a file that is none.
set -eu
here=$(dirname "$0")
"$@" "$here/input.txt" | diff "$here/expected.txt" -
if message=$("$@" /nowhere 2>&1); then
  echo "/nowhere could be read" >&2
  exit 1
fi
case $message in
*"wordcount: "*/nowhere*) ;;
*) echo "not the message that was expected: $message" >&2; exit 1 ;;
esac
