#!/bin/sh
# rows.sh BENCH: a short run in which every row must print a figure and every checksum be right. The
# times say nothing. The rows of Swift's objects take part where native-bench has been built; with
# BELAY_REQUIRE_BENCHMARKS=1 it is built first.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
native=$root/.build/release/native-bench
if [ "${BELAY_REQUIRE_BENCHMARKS:-}" = 1 ]; then
  (cd "$root" && swift build -c release --product native-bench)
fi
[ ! -x "$native" ] || set -- "$@" --native "$native"
exec "$@" --processes 1 --rounds 1 --complete
