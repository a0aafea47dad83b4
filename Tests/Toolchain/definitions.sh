#!/bin/sh
# definitions.sh JOINED LIBRARY: where Sources/CBelayShim defines functions of the runtime itself, those
# were linked. JOINED is the object of all code, in which the runtime's own are weak and ours are not.
# LIBRARY has each of them once.
#   NM
set -eu
. "$(dirname "$0")/../tally.sh"
joined=$1 library=$2
check() { try "$1: $2, expected $3" [ "$2" = "$3" ]; } # WHAT FOUND EXPECTED
kinds() { "$NM" "$1" | awk -v name="$2" '$NF == name { printf "%s", $(NF - 1) }'; }

for name in swift_allocObject swift_initStaticObject swift_retain swift_retain_n swift_release \
  swift_release_n; do
  check "$name in the joined object" "$(kinds "$joined" $name)" T
  check "$name in the library" "$(kinds "$library" $name)" t
done
check "posix_memalign in the joined object" "$(kinds "$joined" posix_memalign)" T
check "posix_memalign in the library" "$(kinds "$library" posix_memalign)" t
tell
