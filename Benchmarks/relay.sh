#!/bin/sh
# Loads the relay beside the one on libuv alone, and leaves build/bench/relay.tsv.
# Usage: Benchmarks/relay.sh [BUILD_DIR] [options of bench_relay_load]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/release}
[ $# -gt 0 ] && shift
mkdir -p "$root/build/bench"
ulimit -n "$(ulimit -Hn)" # a thousand connections need more than the usual soft limit
cd "$build/Benchmarks"
exec ./bench_relay_load --out "$root/build/bench/relay.tsv" "$@" ./bench_relay ./bench_relay_libuv
