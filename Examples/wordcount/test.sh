#!/bin/sh
# test.sh PROGRAM...: counts input.txt, compares with expected.txt, counts a file of any bytes, asks for
# a file that is none, and leaves no room for the output.
set -eu
here=$(dirname "$0")
"$@" "$here/input.txt" | diff "$here/expected.txt" -

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
# NULs, a Kelvin sign, letters with accents of their own and of the letter before, and no UTF-8.
printf 'a\0b \342\204\252c \304\260d\0\ncaf\303\251 e\314\201f x\377y\r\n\377z' >"$dir/bytes"
printf '%s\n' '10 words, 10 different' '    1 a' '    1 b' '    1 c' '    1 caf' '    1 d' \
  '    1 e' '    1 f' '    1 x' '    1 y' '    1 z' >"$dir/expected"
"$@" "$dir/bytes" | diff "$dir/expected" -

if message=$("$@" /nowhere 2>&1); then
  echo "/nowhere could be read" >&2
  exit 1
fi
case $message in
*"wordcount: "*/nowhere*) ;;
*) echo "not the message that was expected: $message" >&2; exit 1 ;;
esac

if [ -w /dev/full ] && "$@" "$here/input.txt" >/dev/full 2>&1; then
  echo "output that could not be written is no failure" >&2
  exit 1
fi
