#!/bin/sh
# compile.sh COMPILER STANDARD INCLUDE-DIRECTORY
set -eu
compiler=$1 standard=$2 include=$3
case $standard in *++*) language=c++ ;; *) language=c ;; esac

passed=0 failed=0
for header in "$include"/belay/*.h; do
  name=belay/${header##*/}
  if printf '#include <%s>\n#include <%s>\nint main(void) { return 0; }\n' "$name" "$name" |
    "$compiler" -x "$language" "-std=$standard" -Wall -Wextra -Werror -pedantic \
      "-I$include" -fsyntax-only -; then
    passed=$((passed + 1))
  else
    echo "FAILED $name"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
