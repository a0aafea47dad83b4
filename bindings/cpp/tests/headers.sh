#!/bin/sh
# headers.sh COMPILER STANDARD INCLUDE-DIRECTORY C-INCLUDE-DIRECTORY: every header, alone and twice.
set -eu
compiler=$1 standard=$2 include=$3 c_include=$4
passed=0 failed=0
for header in "$include"/belay/*.hpp "$include"/belay/operators/*.hpp; do
  name=${header#"$include/"}
  # Of the coroutines nothing is left before C++20.
  if printf '#include <%s>\n#include <%s>\nint main() { return 0; }\n' "$name" "$name" |
    "$compiler" -x c++ "-std=$standard" -Wall -Wextra -Werror -pedantic -Wshadow \
      "-I$include" "-I$c_include" -fsyntax-only -; then
    passed=$((passed + 1))
  else
    echo "FAILED $name"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
