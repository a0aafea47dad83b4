#!/bin/sh
# The C++ blocks of the README compile as an outsider's would; whole programs run, and print what it says.
set -eu
. "$SOURCE/Tests/tally.sh"
libdir=$(dirname "$(find "$PREFIX" -name libbelay.so)")
export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"
out=$WORK/readme
sh "$SOURCE/Tests/Docs/extract.sh" "$SOURCE/bindings/cpp/README.md" cpp "$out"
# pkg-config quotes for a shell.
eval "set -- $(pkg-config --cflags --libs belay)"
compile() { "$CXX" -Wall -Wextra -Werror -pedantic "$@"; }
for block in "$out"/*.cpp; do
  block=${block%.cpp}
  if grep -q '^int main(' "$block.cpp"; then
    compile -std=c++17 "$block.cpp" -o "$block.program" "$@" &&
      "$block.program" >"$block.output" && diff "$block.expected" "$block.output" && good=1 || good=0
  else
    {
      echo '#include <belay/belay.hpp>'
      echo '#include <cstdio>'
      cat "$block.cpp"
    } >"$block.part"
    compile -x c++ -std=c++20 -fsyntax-only "$block.part" "$@" && good=1 || good=0
  fi
  try "block ${block##*/}" [ "$good" = 1 ]
done
tell 12
