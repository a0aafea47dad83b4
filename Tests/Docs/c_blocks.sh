#!/bin/sh
# Every C block of the pages and of the site, and every example in a comment of a header, compiles as a user's program
# would. Whole programs run and print what the page says. The README's second program is Examples/hello.
set -eu
. "$SOURCE/Tests/tally.sh"
here=$SOURCE/Tests/Docs
libdir=$(dirname "$(find "$PREFIX" -name libbelay.so)")
export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"

# compile ARGUMENT...: with what pkg-config says, which it quotes for a shell.
eval "compile() { \"\$CC\" -std=c11 \"\$@\" $(pkg-config --cflags --libs belay); }"
# uv.h needs what the system has beside C11.
eval "compile_with_libuv() { \"\$CC\" -std=gnu11 \"\$@\" $(pkg-config --cflags --libs belay libuv); }"
eval "compile_for_tests() { \"\$CC\" -std=c11 \"\$@\" $(pkg-config --cflags --libs belay-testing); }"

run_program() { # BLOCK
  with=
  if grep -q '^#include <uv.h>' "$1.c"; then with=_with_libuv; fi
  if grep -q '^#include <belay/testing.h>' "$1.c"; then with=_for_tests; fi
  "compile$with" -Wall "$1.c" -o "$1.program" &&
    "$1.program" >"$1.output" &&
    { [ ! -e "$1.expected" ] || diff "$1.expected" "$1.output"; }
}

compile_part() { # BLOCK
  {
    echo '#include <belay/belay.h>'
    echo '#include <stdio.h>'
    echo '#include <stdlib.h>'
    cat "$1.c"
  } >"$1.part.c" &&
    compile -Wall -Wextra -Werror -Wno-unused-function -c "$1.part.c" -o "$1.part.o"
}

for page in "$SOURCE"/README.md "$SOURCE"/docs/*.md "$SOURCE"/docs/operators/*.md "$SOURCE"/docs/site/*.md "$SOURCE"/docs/site/*/*.md; do
  name=$(basename "$page" .md)
  sh "$here/extract.sh" "$page" c "$WORK/c/$name"
  for block in "$WORK/c/$name"/*.c; do
    [ -e "$block" ] || continue
    case $block in *.part.c) continue ;; esac
    block=${block%.c}
    if grep -q '^int main(' "$block.c"; then
      try "$name, C program ${block##*/}" run_program "$block"
    else
      try "$name, C block ${block##*/}" compile_part "$block"
    fi
  done
done
compile_example() { # FILE
  compile_for_tests -Wall -Wextra -Werror -Wno-unused-variable -I"$here" -c "$1" -o "${1%.c}.o"
}
python3 "$here/header_blocks.py" "$WORK/c/headers"
for example in "$WORK/c/headers"/*.c; do
  try "the example of $(sed -n '1s,^/\* \(.*\) \*/$,\1,p' "$example")" compile_example "$example"
done
count=$(ls "$WORK/c/headers"/*.c | wc -l)
try "the headers have examples, not $count" test "$count" -ge 11
try "the README's second program is Examples/hello" \
  diff -bB "$SOURCE/Examples/hello/hello.c" "$WORK/c/README/2.c"
try "it prints what that prints" \
  diff -bB "$SOURCE/Examples/hello/expected.txt" "$WORK/c/README/2.expected"

tell
