#!/bin/sh
# headers.sh COMPILER STANDARD INCLUDE-DIRECTORY C-INCLUDE-DIRECTORY: every header, alone and twice.
set -eu
# What differs in C++20 is in the one for coroutines, of which nothing is left before.
case $2 in
*17) HEADERS=$(cd "$3" && echo belay/*.hpp belay/operators/*.hpp) ;;
*) HEADERS="belay/coroutine.hpp belay/belay.hpp belay/marbles.hpp" ;;
esac
export HEADERS FLAGS=-Wshadow
exec sh "$(dirname "$0")/../../../Tests/Headers/compile.sh" "$@"
