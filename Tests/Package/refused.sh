#!/bin/sh
# refused.sh: CMake refuses a machine that Belay is not for, and says why.
set -eu
out=$WORK/refused
rm -rf "$out"
if "$CMAKE" -S "$SOURCE" -B "$out" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=riscv64 \
  "-DCMAKE_C_COMPILER=$CC" >"$WORK/refused.log" 2>&1; then exit 1; fi
# It breaks the lines.
tr -s ' \n' ' ' <"$WORK/refused.log" | grep -q "only if that is aarch64, not riscv64" || { cat "$WORK/refused.log" && exit 1; }
