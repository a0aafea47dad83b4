#!/bin/sh
# test.sh PROGRAM...: it succeeds, and prints what is expected.
set -eu
printed=$("$@")
echo "$printed" | diff "$(dirname "$0")/expected.txt" -
