#!/bin/sh
# A program must not link libbelay and libbelay-testing together. CMake refuses it, the linker refuses
# the archives, and libbelay-testing itself refuses to run beside libbelay. A library that was linked
# to libbelay runs on libbelay-testing in a test program.
set -eu
here=$SOURCE/Tests/Package/consumer
out=$WORK/one_library
prefix=$WORK/prefix
libdir=$(dirname "$(find "$prefix" -name libbelay.a)")
rm -rf "$out"
mkdir -p "$out/project"
export LD_LIBRARY_PATH="$libdir"

refused() { # MESSAGE COMMAND...
  message=$1
  shift
  if "$@" >"$out/log" 2>&1; then
    echo "not refused: $*"
    exit 1
  fi
  grep -q "$message" "$out/log" || { cat "$out/log"; echo "without \"$message\": $*"; exit 1; }
}

{
  echo 'cmake_minimum_required(VERSION 3.22)'
  echo 'project(both LANGUAGES C)'
  echo 'find_package(belay 0.1 REQUIRED)'
  echo "add_executable(both \"$here/testing.c\")"
  echo 'target_link_libraries(both PRIVATE belay::shared belay::testing)'
} >"$out/project/CMakeLists.txt"
refused BELAY_LIBRARY "$CMAKE" -S "$out/project" -B "$out/build" -G "$GENERATOR" \
  "-DCMAKE_C_COMPILER=$CC" "-DCMAKE_PREFIX_PATH=$prefix"

compile() { "$CC" "-I$prefix/include" "-L$libdir" "$@"; }
refused "\(multiple definition\|duplicate symbol\)" compile "$here/testing.c" -o "$out/static" \
  "$libdir/libbelay.a" "$libdir/libbelay-testing.a" -luv -lffi -lm

compile "$here/testing.c" -o "$out/wrong" -Wl,--no-as-needed -lbelay -lbelay-testing
refused "are both in this process" "$out/wrong"

# A user's library, which was linked to libbelay.
printf '#include <belay/belay.h>\nbelay_signal *made(belay_signal *s) { return belay_signal_chain(s, belay_op_take(1)); }\n' >"$out/own.c"
printf '#include <belay/testing.h>\nbelay_signal *made(belay_signal *);\n#define belay_signal_chain(s, o) (belay_op_release(o), made(s))\n' >"$out/test.h"
compile -shared -fPIC "$out/own.c" -o "$out/libown.so" -lbelay
compile -include "$out/test.h" "$here/testing.c" -o "$out/own" -L"$out" -lown -lbelay-testing
LD_LIBRARY_PATH=$out:$libdir "$out/own"
