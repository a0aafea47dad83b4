#!/bin/sh
# test.sh: the modules' public names, Examples/hello and wordcount in Swift, and BELAY_SOAK rounds of each way
# between signals and tasks, also while threads send.
set -eu
# SwiftPM would take it for its own compiler.
unset CC
swift=$(dirname "$SWIFTC")/swift
cd "$SOURCE"
for product in hello wordcount task-soak; do "$swift" build --product "$product" -j 2; done
for target in BelayTesting BelayExchange; do "$swift" build --target "$target" -j 2; done
scripts/swift-names check .build/debug/Modules
sh Examples/hello/test.sh "$SOURCE/.build/debug/hello"
sh Examples/wordcount/test.sh "$SOURCE/.build/debug/wordcount"
exec "$SOURCE/.build/debug/task-soak" "$BELAY_SOAK"
