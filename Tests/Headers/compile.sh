#!/bin/sh
# compile.sh COMPILER STANDARD INCLUDE-DIRECTORY..., in the folder of the test: each header of the first
# directory, alone and included twice. Headers that have passed are not compiled again, as long as
# they, the compiler and this script are the same.
#   HEADERS: their names, where not all of belay/*.h are meant; FLAGS: more of the compiler's
set -eu
. "$(dirname "$0")/../tally.sh"
compiler=$1 standard=$2
shift 2
headers=${HEADERS:-$(cd "$1" && echo belay/*.h)}
case $standard in *++*) language=c++ ;; *) language=c ;; esac

stamp=${compiler##*/}-$standard.passed
state=$({
  "$compiler" --version
  cat "$0"
  echo "$headers ${FLAGS:-}"
  find "$@" -type f | sort | xargs cat
} | sha256sum)
if [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$state" ]; then exec tail -n 1 "$stamp"; fi

for directory; do
  shift
  set -- "$@" "-I$directory"
done
compile() { # HEADER INCLUDE-FLAG...
  program="#include <$1>\n#include <$1>\nint main(void) { return 0; }\n"
  shift
  # A flag a word.
  # shellcheck disable=SC2059,SC2086
  printf "$program" | "$compiler" -x "$language" "-std=$standard" -Wall -Wextra -Werror -pedantic \
    ${FLAGS:-} "$@" -fsyntax-only -
}
for name in $headers; do try "$name" compile "$name" "$@"; done
tell
printf '%s\n%s passed, 0 failed\n' "$state" "$passed" >"$stamp"
