#!/bin/sh
# headers.sh COMPILER STANDARD INCLUDE-DIRECTORY C-INCLUDE-DIRECTORY: every header, alone and twice.
# Those that have passed are not compiled again, as long as they, the compiler and this script are the same.
set -eu
compiler=$1 standard=$2 include=$3 c_include=$4
passed=0 failed=0
# What differs in C++20 is in the one for coroutines, of which nothing is left before.
case $standard in
*17) headers=$(cd "$include" && echo belay/*.hpp belay/operators/*.hpp) ;;
*) headers="belay/coroutine.hpp belay/belay.hpp belay/marbles.hpp" ;;
esac
stamp=${compiler##*/}-$standard.passed
state=$({
  "$compiler" --version
  cat "$0"
  find "$include" "$c_include" -type f | sort | xargs cat
} | sha256sum)
if [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$state" ]; then exec tail -n 1 "$stamp"; fi
for name in $headers; do
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
printf '%s\n%s passed, 0 failed\n' "$state" "$passed" >"$stamp"
