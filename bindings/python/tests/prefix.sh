#!/bin/sh
# prefix.sh: the extension module's build finds a Belay wherever the installation below BELAY_PREFIX has put it, and
# refuses a relative one. Ends with 77 without Python's headers.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
out=$WORK/prefix
rm -rf "$out"
mkdir -p "$out"
python3 -c 'import os, sys, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h"); sys.exit(sys.version_info < (3, 11))' \
  2>/dev/null || { echo "skipped: there are no headers of Python 3.11 or later" && exit 77; }
configure() { rm -rf "$out/build" && "$CMAKE" -S "$here/native" -B "$out/build" "$@" >"$out/log" 2>&1; }
triplet=$(${CC:-cc} -print-multiarch 2>/dev/null || true)
for folder in "" lib lib64 ${triplet:+"lib/$triplet"}; do
  mkdir -p "$out/at/$folder"
  cp "$LIBRARY" "$out/at/$folder"
  BELAY_PREFIX=$out/at configure || { cat "$out/log" && echo "not found in PREFIX/$folder" && exit 1; }
  rm -r "$out/at"
done
cd "$out"
if BELAY_PREFIX=at configure; then exit 1; fi
tr -s ' \n' ' ' <log | grep -q 'BELAY_PREFIX is "at", and must be an absolute path' || { cat log && exit 1; }
