#!/bin/sh
# test.sh PROGRAM...: it prints what is expected.
set -eu
"$@" | diff "$(dirname "$0")/expected.txt" -
