#!/bin/sh
# option.sh OPTION [LIMIT]: a library built without OPTION has all functions, runs the tests that are for it, and
# with a limit is smaller than LIMIT bytes.
set -eu
option=$1
build=$WORK/without_$option
case $option in
# What the functions of a part that was left out say is tested by the program named after it.
io)
  without=-DBELAY_IO=OFF
  programs=io_absent
  ;;
interception)
  without="-DBELAY_INTERCEPTION=OFF -DBELAY_PROBES=OFF"
  programs="interception_absent streams processes"
  ;;
# Embedded Swift's runtime counts references, by which one tries a compiler. What does not differ is left out.
own_references)
  without="-DBELAY_OWN_REFERENCES=OFF -DBELAY_INTERCEPTION=OFF -DBELAY_IO=OFF"
  programs="subjects signal_rules owners owner_threads values flattening workers"
  ;;
*) echo "unknown: $option" && exit 1 ;;
esac
# shellcheck disable=SC2086 # several words
"$CMAKE" -S "$SOURCE" -B "$build" -G "$GENERATOR" "-DCMAKE_C_COMPILER=$CC" "-DCMAKE_BUILD_TYPE=$BUILD_TYPE" \
  $without -DBELAY_INSTALL=OFF >/dev/null
# shellcheck disable=SC2046,SC2086
"$CMAKE" --build "$build" --target belay_shared $(printf 'test_%s_shared ' $programs)
for program in $programs; do "$build/Tests/test_${program}_shared"; done
library=$build/libbelay.so
NM=$NM "$SOURCE/scripts/api" symbols "$library"
case $option in
interception) if "$READELF" -dW "$library" | grep libffi; then exit 1; fi ;;
own_references) [ -z "$(find "$build" -name references.c.o)" ] ;;
esac
[ $# -lt 2 ] || WORK=$build LIBRARY=$library STRIP=$STRIP sh "$SOURCE/Tests/Package/size.sh" "$2"
