#!/bin/sh
# The library exports what the ledger says, under the version it says, and all that is declared.
set -eu
NM=$NM CC=$CC "$SOURCE/scripts/symbols" --check "$LIBRARY"
