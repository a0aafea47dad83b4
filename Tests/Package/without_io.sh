#!/bin/sh
# without_io.sh LIMIT: a library without I/O has all functions, and is smaller than LIMIT bytes. (What its
# functions say is tested by io_absent, in a build of tests without I/O.)
set -eu
build=$WORK/without_io
"$CMAKE" -S "$SOURCE" -B "$build" -G "$GENERATOR" "-DCMAKE_C_COMPILER=$CC" "-DCMAKE_BUILD_TYPE=$BUILD_TYPE" \
  -DBELAY_IO=OFF -DBELAY_INSTALL=OFF >/dev/null
"$CMAKE" --build "$build" --target belay_shared test_io_absent_shared
"$build/Tests/test_io_absent_shared"
NM=$NM "$SOURCE/scripts/api" symbols "$build/libbelay.so"
WORK=$build LIBRARY=$build/libbelay.so STRIP=$STRIP sh "$SOURCE/Tests/Package/size.sh" "$1"
