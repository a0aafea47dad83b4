#!/bin/sh
# The Swift programs of the README and of the pages on native objects and C tables, in a package of their own that depends on this one.
set -eu
# SwiftPM would take it for its own compiler.
unset CC
blocks=$WORK/swift/blocks
package=$WORK/swift/package
mkdir -p "$WORK/swift"
cat "$SOURCE/README.md" "$SOURCE/docs/native-objects.md" "$SOURCE/docs/c-tables.md" >"$WORK/swift/pages.md"
sh "$SOURCE/Tests/Docs/extract.sh" "$WORK/swift/pages.md" swift "$blocks"
mkdir -p "$package/Sources"

targets=
for block in "$blocks"/*.swift; do
  number=$(basename "$block" .swift)
  mkdir -p "$package/Sources/block$number"
  cp "$block" "$package/Sources/block$number/main.swift"
  targets="$targets
    .executableTarget(
      name: \"block$number\", dependencies: [.product(name: \"Belay\", package: \"belay\")]),"
done
cat >"$package/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "readme",
  dependencies: [.package(name: "belay", path: "$SOURCE")],
  targets: [$targets
  ],
  swiftLanguageModes: [.v6]
)
MANIFEST
"$(dirname "$SWIFTC")/swift" build --package-path "$package" -j 2

passed=0 failed=0
for block in "$blocks"/*.swift; do
  number=$(basename "$block" .swift)
  if "$package/.build/debug/block$number" >"$blocks/$number.output" &&
    { [ ! -e "$blocks/$number.expected" ] ||
      diff "$blocks/$number.expected" "$blocks/$number.output"; }; then
    passed=$((passed + 1))
  else
    echo "FAILED Swift program $number"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
