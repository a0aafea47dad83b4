#!/bin/sh
# dispatch_main.sh GUEST LIBRARY: dispatch_main.swift, which is compiled to WORK. SWIFTC: the compiler; DISPATCH: where
# the headers of its libdispatch are.
set -eu
if [ ! -e "$DISPATCH/dispatch.h" ]; then
  echo "skipped: the Swift toolchain has no libdispatch in $DISPATCH"
  [ "${BELAY_REQUIRE_BINDINGS:-}" = 1 ] && exit 1
  exit 77
fi
here=$(cd "$(dirname "$0")/.." && pwd)
"$SWIFTC" -swift-version 6 -use-ld=lld -module-name host -import-objc-header "$here/guest.h" -Xcc "-I$here/../../include" \
  "$here/recipes/dispatch_main.swift" "$1" "$2" -Xlinker -rpath -Xlinker "$(dirname "$2")" -o "$WORK/dispatch_main"
exec "$WORK/dispatch_main"
