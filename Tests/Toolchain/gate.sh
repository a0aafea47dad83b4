#!/bin/sh
# gate.sh: CMake and Swift refuse a compiler that is not in the list of Toolchain.swift, with a message
# that names the switch. With the switch they take it. The test uses another list.
#   SOURCE, CMAKE, SWIFTC, WORK
set -eu
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

configure() { # FOLDER FLAG...
  folder=$1
  shift
  "$CMAKE" "-DBELAY_SWIFTC=$SWIFTC" "$@" -P "$folder/cmake/SwiftToolchain.cmake" >"$copy/log" 2>&1
}
compile() { "$SWIFTC" -typecheck -parse-as-library "$@" >"$copy/log" 2>&1; }
says_how() { tr -s ' \n' ' ' <"$copy/log" | grep -q "has not been tried with .*-D *$1"; }

# Shows what the compiler said if the command fails.
shown() { "$@" || { cat "$copy/log" && false; }; }
refuses() { if "$@"; then return 1; else says_how BELAY_UNTRIED_SWIFT; fi; }

try "CMake takes this compiler" shown configure "$SOURCE"
try "CMake refuses another" shown refuses configure "$copy"
try "CMake takes it with the switch" shown configure "$copy" -DBELAY_UNTRIED_SWIFT=ON
try "Swift takes this compiler" shown compile "$SOURCE/$list"
try "Swift refuses another" shown refuses compile "$copy/$list"
try "Swift takes it with the switch" shown compile -D BELAY_UNTRIED_SWIFT "$copy/$list"
tell
