#!/bin/sh
# consume.sh WAY: builds and runs a user's program against the files that install.sh installed.
set -eu
way=$1
here=$SOURCE/Tests/Package
out=$WORK/$way
prefix=$WORK/prefix
libdir=$(dirname "$(find "$prefix" -name libbelay.a)")
# A host keeps the library that is built within its project, and so do these.
[ "$way" = add_subdirectory ] || rm -rf "$out"
mkdir -p "$out"

with_cmake() {
  "$CMAKE" -S "$here/consumer" -B "$out" -G "$GENERATOR" "-DCMAKE_C_COMPILER=$CC" "$@"
  "$CMAKE" --build "$out"
  (cd "$out" && "$(dirname "$CMAKE")/ctest" --output-on-failure)
}

with_pkg_config() { # PROGRAM ARGUMENT...
  program=$1
  shift
  # pkg-config quotes for a shell.
  eval "set -- $(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs "$@")"
  "$CC" "$here/consumer/$program.c" -o "$out/consumer" "$@"
  LD_LIBRARY_PATH=$libdir "$out/consumer"
}

with_plugins() { # stays|goes ARGUMENT...
  stay=$1
  shift
  eval "set -- $(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs "$@")"
  for number in 1 2; do
    "$CC" -shared -fPIC "$here/consumer/plugin.c" -o "$out/plugin-$number.so" "$@"
  done
  "$CC" "$here/consumer/host.c" -o "$out/host" -ldl -pthread
  LD_LIBRARY_PATH=$libdir "$out/host" "$stay" "$out/plugin-1.so" "$out/plugin-2.so"
}

with_swift() {
  "$SWIFTC" -O -swift-version 6 -module-name host -use-ld=lld \
    -Xcc "-I$prefix/include" "$here/swift/main.swift" -o "$out/host" "$@"
  LD_LIBRARY_PATH=$libdir "$out/host"
}

case $way in
find_package_*) with_cmake "-DCMAKE_PREFIX_PATH=$prefix" "-DKIND=${way#find_package_}" ;;
add_subdirectory)
  rm -rf "$out/installed" "$out/configured"
  # A host that names no build type gets none from Belay.
  "$CMAKE" -S "$here/consumer" -B "$out/configured" -G "$GENERATOR" "-DCMAKE_C_COMPILER=$CC" \
    "-DBELAY_SOURCE=$SOURCE" >/dev/null
  # The smallest library there is: what is left of its parts is tested here.
  with_cmake "-DBELAY_SOURCE=$SOURCE" "-DCMAKE_BUILD_TYPE=$BUILD_TYPE" -DBUILD_TYPE="$BUILD_TYPE" \
    -DBELAY_INTERCEPTION=OFF -DBELAY_IO=OFF "-DPROGRAMS=Interception/interception_absent;IO/io_absent"
  # Nothing of Belay's is installed with the host.
  "$CMAKE" --install "$out" --prefix "$out/installed"
  [ ! -e "$out/installed" ]
  ;;
pkg_config_shared)
  with_pkg_config main belay
  with_plugins goes belay
  ;;
pkg_config_testing) with_pkg_config testing belay-testing ;;
pkg_config_static)
  # With no shared library beside the archive, -lbelay means the archive.
  cp -R "$prefix" "$out/prefix"
  find "$out/prefix" -name "libbelay.so*" -exec rm {} +
  libdir=$out/prefix/${libdir#"$prefix/"}
  with_pkg_config main --static --define-variable=prefix="$out/prefix" belay
  with_plugins stays --static --define-variable=prefix="$out/prefix" belay
  ;;
glib_find_package) with_cmake "-DCMAKE_PREFIX_PATH=$prefix" -DKIND=glib ;;
glib_pkg_config) with_pkg_config glib belay-glib ;;
swift_shared) with_swift -L "$libdir" -lbelay ;;
swift_static) with_swift "$libdir/libbelay.a" -luv -lffi -lm ;;
*) echo "unknown: $way"; exit 1 ;;
esac
