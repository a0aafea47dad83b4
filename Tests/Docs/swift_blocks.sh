#!/bin/sh
# The Swift programs of the README, of the pages on Swift, native objects, C tables and concurrency, and of
# the articles of Belay.docc are built and run in a package of their own that depends on this one, so they
# see what is public. The examples in the comments of the sources are compiled there, as functions of one module. The
# programs of Tests/Docs/refused must not compile without warnings; each names its
# error or its warning.
set -eu
. "$SOURCE/Tests/tally.sh"
# SwiftPM would use it as its own compiler.
unset CC
blocks=$WORK/swift/blocks
package=$WORK/swift/package
mkdir -p "$WORK/swift"
cat "$SOURCE/README.md" "$SOURCE/docs/native-objects.md" "$SOURCE/docs/c-tables.md" \
  "$SOURCE/docs/concurrency.md" "$SOURCE/bindings/swift/README.md" \
  "$SOURCE"/Sources/Belay/Belay.docc/*.md >"$WORK/swift/pages.md"
sh "$SOURCE/Tests/Docs/extract.sh" "$WORK/swift/pages.md" swift "$blocks"
mkdir -p "$package/Sources"

targets=
for block in "$blocks"/*.swift; do
  number=$(basename "$block" .swift)
  mkdir -p "$package/Sources/block$number"
  cp "$block" "$package/Sources/block$number/main.swift"
  targets="$targets
    .executableTarget(
      name: \"block$number\",
      dependencies: [
        .product(name: \"Belay\", package: \"belay\"),
        .product(name: \"BelayExchange\", package: \"belay\"),
        .product(name: \"BelayTesting\", package: \"belay\"),
      ]),"
done
# The examples of comments, a file each, with the lines of the block in a function.
comments=$WORK/swift/comments
rm -rf "$comments" "$package/Sources/examples"
mkdir -p "$comments" "$package/Sources/examples"
cp "$SOURCE/Tests/Docs/examples.swift" "$package/Sources/examples"
for file in $(grep -rlE '^ */// *```' "$SOURCE/Sources" "$SOURCE/bindings/swift" --include='*.swift'); do
  name=$(basename "$file" .swift)
  sed -nE 's,^ */// ?,,p' "$file" >"$comments/page.md"
  sh "$SOURCE/Tests/Docs/extract.sh" "$comments/page.md" swift "$comments/blocks"
  fences=$(grep -c '^```' "$comments/page.md")
  made=$(ls "$comments/blocks" | wc -l)
  try "each block in the comments of $name is marked as Swift" test "$fences" -eq $((2 * made))
  for block in "$comments/blocks"/*.swift; do
    number=$(ls "$package/Sources/examples" | wc -l)
    {
      printf '// %s\nimport Belay\nimport BelayLoop\n\nfunc example%s() throws {\n' "$name" "$number"
      cat "$block"
      echo '}'
    } >"$package/Sources/examples/example$number.swift"
  done
done
count=$(ls "$package/Sources/examples" | wc -l)
try "the comments have examples, not $((count - 1))" test "$count" -gt 3

cat >"$package/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "readme",
  dependencies: [.package(name: "belay", path: "$SOURCE")],
  targets: [
    .target(
      name: "examples",
      dependencies: [.product(name: "Belay", package: "belay")]),$targets
  ],
  swiftLanguageModes: [.v6]
)
MANIFEST
"$(dirname "$SWIFTC")/swift" build --package-path "$package" -j 2

run_program() { # NUMBER
  "$package/.build/debug/block$1" >"$blocks/$1.output" &&
    { [ ! -e "$blocks/$1.expected" ] || diff "$blocks/$1.expected" "$blocks/$1.output"; }
}
for block in "$blocks"/*.swift; do
  number=$(basename "$block" .swift)
  try "Swift program $number" run_program "$number"
done

shims=
for module in CBelayShim/include CBelayClosure/include CLibffi; do
  shims="$shims -Xcc -fmodule-map-file=$SOURCE/Sources/$module/module.modulemap -Xcc -I$SOURCE/Sources/$module"
done
for program in "$SOURCE"/Tests/Docs/refused/*.swift; do
  expected=$(sed -n '1s,^// error: ,,p' "$program")
  # An argument a word.
  # shellcheck disable=SC2086
  if output=$("$SWIFTC" -typecheck -warnings-as-errors -swift-version 6 -I "$package/.build/debug/Modules" $shims "$program" 2>&1); then
    miss "$program compiles"
  elif [ -n "$expected" ] && echo "$output" | grep -qF "error: $expected"; then
    pass
  else
    miss "$program, another error: $output"
  fi
done
tell
