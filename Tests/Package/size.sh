#!/bin/sh
# size.sh LIMIT: the stripped library is smaller than LIMIT bytes.
set -eu
"$STRIP" -o "$WORK/stripped.so" "$LIBRARY"
size=$(wc -c <"$WORK/stripped.so")
echo "$size bytes of $1"
[ "$size" -lt "$1" ]
