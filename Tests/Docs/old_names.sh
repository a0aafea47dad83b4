#!/bin/sh
# No file uses a name of Tests/Docs/old_names.txt.
set -eu
cd "$SOURCE"
list=Tests/Docs/old_names.txt
checked=0 failed=0
for name in $(grep -v '^#' "$list"); do
  checked=$((checked + 1))
  found=$(grep -rnIwE --exclude-dir=build --exclude-dir=.build --exclude-dir=.git \
    --exclude-dir=target --exclude="$(basename "$list")" -e "$name" . | head -n 3)
  if [ -n "$found" ]; then
    echo "FAILED $name is used again:"
    echo "$found"
    failed=$((failed + 1))
  fi
done
echo "$((checked - failed)) passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$checked" -gt 0 ]
