#!/bin/sh
# Runs the benchmarks of a build directory and leaves build/bench/results.tsv.
# Usage: Benchmarks/run.sh [BUILD_DIR] [options of bench]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/release}
[ $# -gt 0 ] && shift
mkdir -p "$root/build/bench"
exec "$build/Benchmarks/bench" --out "$root/build/bench" "$@"
