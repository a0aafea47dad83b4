#!/bin/sh
# compile.sh COMPILER STANDARD INCLUDE-DIRECTORY, in the folder of the test: headers that have passed are not
# compiled again, as long as they, the compiler and this script are the same.
set -eu
compiler=$1 standard=$2 include=$3
case $standard in *++*) language=c++ ;; *) language=c ;; esac

stamp=${compiler##*/}-$standard.passed
state=$({
  "$compiler" --version
  cat "$0"
  find "$include" -type f | sort | xargs cat
} | sha256sum)
if [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$state" ]; then exec tail -n 1 "$stamp"; fi

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
printf '%s\n%s passed, 0 failed\n' "$state" "$passed" >"$stamp"
