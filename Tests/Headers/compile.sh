#!/bin/bash
# compile.sh COMPILER STANDARD [FILE] INCLUDE-DIRECTORY... -- HEADER..., in the folder of the test: every
# header, alone and included twice, and after FILE if one is given. Headers that have passed are not compiled
# again, as long as they, the compiler and this script are the same.
set -euo pipefail
compiler=$1 standard=$2
shift 2
. "$(dirname "$0")/../tally.sh"
directories=() includes=() first=
while [ "$1" != -- ]; do
  directories+=("$1")
  if [ -f "$1" ]; then includes+=(-include "$1") first=-$(basename "$1"); else includes+=("-I$1"); fi
  shift
done
shift
case $standard in
*++*) language=c++ main='int main() { return 0; }' ;;
*) language=c main='int main(void) { return 0; }' ;;
esac

stamp=${compiler##*/}-$standard$first.passed
state=$({
  "$compiler" --version
  cat "$0" "$(dirname "$0")/../tally.sh"
  echo "$@"
  find "${directories[@]}" -type f -print0 | LC_ALL=C sort -z | xargs -0 cat
} | sha256sum)
if [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$state" ]; then exec tail -n 1 "$stamp"; fi

compile() { # HEADER
  printf '#include <%s>\n#include <%s>\n%s\n' "$1" "$1" "$main" |
    "$compiler" -x "$language" "-std=$standard" -Wall -Wextra -Werror -pedantic -Wshadow \
      "${includes[@]}" -fsyntax-only -
}
for name in "$@"; do try "$name" compile "$name"; done
tell
{ echo "$state" && tell; } >"$stamp"
