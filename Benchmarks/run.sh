#!/bin/sh
# Runs the benchmarks of a build directory and leaves build/bench/results.tsv.
# Usage: Benchmarks/run.sh [BUILD_DIR] [options of bench]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/release}
[ $# -gt 0 ] && shift
mkdir -p "$root/build/bench"
# What it costs Swift's own objects, where that has been built.
native=$root/.build/release/native-bench
[ ! -x "$native" ] || set -- --native "$native" "$@"
exec "$build/Benchmarks/bench" --out "$root/build/bench" "$@"
