#!/bin/sh
# imports.txt has every symbol that the library imports, with the library that it comes from.
set -eu
known=$SOURCE/Tests/Package/imports.txt
"$NM" -D --undefined-only "$LIBRARY" | sed 's/.* //; s/@.*//' | LC_ALL=C sort -u >"$WORK/imports"
LC_ALL=C join -v 1 "$WORK/imports" "$known" >"$WORK/imports.new"
if [ -s "$WORK/imports.new" ]; then
  echo "imported, and not in imports.txt (add what is meant to be, with its library):"
  cat "$WORK/imports.new"
  exit 1
fi
