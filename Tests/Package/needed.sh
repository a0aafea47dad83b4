#!/bin/sh
# The library needs libc, libm, libuv and libffi and nothing else, and its name follows its ABI.
set -eu
"$READELF" -dW "$LIBRARY" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$WORK/needed"
if grep -v -e '^libc\.so\.' -e '^libm\.so\.' -e '^libuv\.so\.' -e '^libffi\.so\.' -e '^ld-linux' "$WORK/needed"; then
  echo "needed, and should not be"
  exit 1
fi
major=$(sed -n 's/.*BELAY_VERSION_MAJOR //p' "$SOURCE/include/belay/version.h")
"$READELF" -dW "$LIBRARY" | grep -q "SONAME.*\[libbelay\.so\.$major\]"
