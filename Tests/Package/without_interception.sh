#!/bin/sh
# without_interception.sh LIMIT: a build without interception has all functions, which answer that it
# is missing. It needs no libffi, and is smaller than LIMIT bytes.
set -eu
build=$WORK/without_interception
"$CMAKE" -S "$SOURCE" -B "$build" -G "$GENERATOR" -DCMAKE_BUILD_TYPE="$BUILD_TYPE" \
  -DCMAKE_C_COMPILER="$CC" -DBELAY_INTERCEPTION=OFF -DBELAY_BUILD_EXAMPLES=OFF >/dev/null
"$CMAKE" --build "$build" --target belay_shared test_interception_absent_shared >/dev/null
"$build/Tests/test_interception_absent_shared"
LIBRARY=$build/libbelay.so
NM=$NM "$SOURCE/scripts/api" symbols "$LIBRARY"
if "$READELF" -dW "$LIBRARY" | grep libffi; then exit 1; fi
WORK=$build LIBRARY=$LIBRARY STRIP=$STRIP sh "$SOURCE/Tests/Package/size.sh" "$1"
