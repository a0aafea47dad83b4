#!/bin/sh
# smallest.sh LIMIT: the library that add_subdirectory has built without interception and I/O has all functions,
# needs no libffi, and is smaller than LIMIT bytes. (What its functions say is tested by the programs beside it.)
set -eu
build=$WORK/add_subdirectory/belay
LIBRARY=$build/libbelay.so
NM=$NM "$SOURCE/scripts/api" symbols "$LIBRARY"
if "$READELF" -dW "$LIBRARY" | grep libffi; then exit 1; fi
WORK=$build LIBRARY=$LIBRARY STRIP=$STRIP sh "$SOURCE/Tests/Package/size.sh" "$1"
