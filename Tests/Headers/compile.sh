#!/bin/bash
# compile.sh COMPILER STANDARD INCLUDE-DIRECTORY... -- HEADER..., in the folder of the test: every header,
# alone and included twice. Headers that have passed are not compiled again, as long as they, the
# compiler and this script are the same.
set -euo pipefail
compiler=$1 standard=$2
shift 2
directories=() includes=()
while [ "$1" != -- ]; do
  directories+=("$1")
  includes+=("-I$1")
  shift
done
shift
case $standard in
*++*) language=c++ main='int main() { return 0; }' ;;
*) language=c main='int main(void) { return 0; }' ;;
esac

stamp=${compiler##*/}-$standard.passed
state=$({
  "$compiler" --version
  cat "$0"
  echo "$@"
  find "${directories[@]}" -type f -print0 | LC_ALL=C sort -z | xargs -0 cat
} | sha256sum)
if [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$state" ]; then exec tail -n 1 "$stamp"; fi

passed=0 failed=0
for name in "$@"; do
  if printf '#include <%s>\n#include <%s>\n%s\n' "$name" "$name" "$main" |
    "$compiler" -x "$language" "-std=$standard" -Wall -Wextra -Werror -pedantic -Wshadow \
      "${includes[@]}" -fsyntax-only -; then
    passed=$((passed + 1))
  else
    echo "FAILED $name"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
printf '%s\n%s passed, 0 failed\n' "$state" "$passed" >"$stamp"
