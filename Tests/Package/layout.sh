#!/bin/sh
# Sizes and offsets of the public structs are those of the golden file.
set -eu
"$SOURCE/scripts/api" layout >"$WORK/layout.c"
"$CC" -std=c99 -Wall -Wextra -Werror -I "$SOURCE/include" "$WORK/layout.c" -o "$WORK/layout"
"$WORK/layout" >"$WORK/layout.txt"
diff "$SOURCE/Tests/Package/layout.txt" "$WORK/layout.txt"
