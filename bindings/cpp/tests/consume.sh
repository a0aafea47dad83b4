#!/bin/sh
# consume.sh WAY: builds and runs somebody else's program against what is installed.
set -eu
way=$1
here=$SOURCE/bindings/cpp/tests/consumer
out=$WORK/$way
libdir=$(dirname "$(find "$PREFIX" -name libbelay.a)")
rm -rf "$out"
mkdir -p "$out"

with_cmake() {
  "$CMAKE" -S "$here" -B "$out" -G "$GENERATOR" "-DCMAKE_C_COMPILER=$CC" \
    "-DCMAKE_CXX_COMPILER=$CXX" "$@"
  "$CMAKE" --build "$out"
  (cd "$out" && "$(dirname "$CMAKE")/ctest" --output-on-failure)
}

case $way in
find_package_*) with_cmake "-DCMAKE_PREFIX_PATH=$PREFIX" "-DTARGET=${way#find_package_}" ;;
pkg_config)
  # pkg-config quotes for a shell.
  eval "set -- $(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs belay)"
  "$CXX" -std=c++17 "$here/main.cpp" -o "$out/consumer" "$@"
  LD_LIBRARY_PATH=$libdir "$out/consumer"
  ;;
*) echo "unknown: $way"; exit 1 ;;
esac
