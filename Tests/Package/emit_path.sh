#!/bin/sh
# emit_path.sh LIBRARY: sending a value at home takes no lock, no atomic read-modify-write, no fence,
# no system call, no allocation, and no call that only makes the library smaller. LIBRARY is the
# release build's libbelay.so. For another machine's, EMULATOR runs the programs, and tells the
# instructions of the second one.
set -eu
library=${1:-$LIBRARY}
here=$(cd "$(dirname "$0")" && pwd)
source=${SOURCE:-$(cd "$here/../.." && pwd)}
folder=$(cd "$(dirname "$library")" && pwd)
work=$(mktemp -d "${WORK:-/tmp}/emit_path.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

"${NM:-nm}" "$library" |
  sed -n 's/^\([0-9a-f]*\) [tT] OUTLINED_.*/\1/p' | sort >"$work/outlined"

failures=0
for program in emit_allocations emit_path_trace; do
  # shellcheck disable=SC2046
  "${CC:-cc}" -std=gnu11 -O1 -Wall -Wextra -Wno-unused-parameter -Werror -fno-builtin \
    -I"$source/include" "$source/Tests/C/special/$program.c" -o "$work/$program" \
    "$library" -Wl,-rpath,"$folder" $(pkg-config --libs libuv) -ldl
  if [ -n "${EMULATOR:-}" ] && [ $program = emit_path_trace ]; then
    set -- python3 "$here/emit_path_qemu.py"
  else
    # shellcheck disable=SC2086 # nothing, or a word
    set -- ${EMULATOR:-}
  fi
  "$@" "$work/$program" "$work/outlined" >"$work/report" || failures=$((failures + 1))
  # The library's own functions are local, so only its symbol table has their names.
  while read -r line; do
    case $line in
      FAILED*libbelay*+0x*) line="$line $("${ADDR2LINE:-addr2line}" -f -e "$library" "${line##*+}" | head -n 1)" ;;
    esac
    echo "$program: $line"
  done <"$work/report"
done
exit "$failures"
