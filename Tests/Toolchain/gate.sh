#!/bin/sh
# gate.sh: CMake and Swift refuse a compiler that is not in the list of Toolchain.swift, with a message
# that names the switch. With the switch they take it. The test uses another list.
#   SOURCE, CMAKE, SWIFTC, WORK; BELAY_UNTRIED_SWIFT: this compiler may be missing in the list
set -eu
is_untried=${BELAY_UNTRIED_SWIFT:-}
unset BELAY_UNTRIED_SWIFT
. "$SOURCE/Tests/tally.sh"
copy=$WORK/gate
rm -rf "$copy"
mkdir -p "$copy/cmake" "$copy/Sources/Belay/Runtime"
cp "$SOURCE/cmake/SwiftToolchain.cmake" "$copy/cmake"
list=Sources/Belay/Runtime/Toolchain.swift
sed -E 's/(compiler\(>=|compiler\(<)[0-9]+/\199/g' "$SOURCE/$list" >"$copy/$list"
if cmp -s "$SOURCE/$list" "$copy/$list"; then
  echo "FAILED: there is no list"
  exit 1
fi

configure() { # FOLDER
  "$CMAKE" "-DBELAY_SWIFTC=$SWIFTC" -P "$1/cmake/SwiftToolchain.cmake" >"$copy/log" 2>&1
}
configure_untried() { # FOLDER
  BELAY_UNTRIED_SWIFT=1 "$CMAKE" "-DBELAY_SWIFTC=$SWIFTC" -P "$1/cmake/SwiftToolchain.cmake" >"$copy/log" 2>&1
}
compile() { "$SWIFTC" -typecheck -parse-as-library "$@" >"$copy/log" 2>&1; }
says_how() { tr -s ' \n' ' ' <"$copy/log" | grep -q "has not been tried with .*$1=1"; }

# Shows what the compiler said if the command fails.
shown() { "$@" || { cat "$copy/log" && false; }; }
refuses() { if "$@"; then return 1; else says_how BELAY_UNTRIED_SWIFT; fi; }

if [ "$is_untried" != 1 ]; then
  try "CMake takes this compiler" shown configure "$SOURCE"
  try "Swift takes this compiler" shown compile "$SOURCE/$list"
fi
try "CMake refuses another" shown refuses configure "$copy"
try "CMake takes it with the switch" shown configure_untried "$copy"
try "Swift refuses another" shown refuses compile "$copy/$list"
try "Swift takes it with the switch" shown compile -D BELAY_UNTRIED_SWIFT "$copy/$list"
tell
