#!/bin/sh
# Where there is no C++ compiler.
echo "skipped: there is no C++ compiler here (on Debian: apt-get install g++)"
[ "${BELAY_REQUIRE_BINDINGS:-}" = 1 ] && exit 1
exit 77
