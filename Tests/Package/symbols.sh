#!/bin/sh
# symbols.sh LIBRARY...: each exports what the ledger says, under the version it says, and all that is
# declared.
set -eu
for library in "$@"; do NM=$NM CC=$CC "$SOURCE/scripts/symbols" --check "$library"; done
