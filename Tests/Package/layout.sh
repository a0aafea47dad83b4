#!/bin/sh
# layout.sh PROGRAM: sizes and offsets of the public structs are those of the golden file.
set -eu
"$1" >"$WORK/layout.txt"
diff "$SOURCE/Tests/Package/layout.txt" "$WORK/layout.txt"
