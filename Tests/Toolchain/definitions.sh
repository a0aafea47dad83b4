#!/bin/sh
# definitions.sh JOINED LIBRARY: the runtime's functions that Sources/CBelayShim defines itself are the ones
# that were linked. JOINED is the object of all code, in which the runtime's own are weak and ours are
# not; in LIBRARY each is there once.
#   NM
set -eu
joined=$1 library=$2
passed=0 failed=0
check() { # WHAT FOUND EXPECTED
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    echo "FAILED $1: $2, expected $3"
    failed=$((failed + 1))
  fi
}
kinds() { "$NM" "$1" | awk -v name="$2" '$NF == name { printf "%s", $(NF - 1) }'; }

for name in swift_allocObject swift_initStaticObject swift_retain swift_retain_n swift_release \
  swift_release_n; do
  check "$name in the joined object" "$(kinds "$joined" $name)" T
  check "$name in the library" "$(kinds "$library" $name)" t
done
check "posix_memalign in the joined object" "$(kinds "$joined" posix_memalign)" T
check "posix_memalign in the library" "$(kinds "$library" posix_memalign)" t
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
