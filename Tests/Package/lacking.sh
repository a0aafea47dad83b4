#!/bin/sh
# lacking.sh: find_package(belay) refuses what it cannot give, and says why: a later minor version, another major one, a
# component that is not installed, a libuv that is too old. Belay's own build and pkg-config refuse that, too.
set -eu
out=$WORK/lacking
prefix=$WORK/prefix
rm -rf "$out"
mkdir -p "$out/project" "$out/old/uv"
cat >"$out/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(lacking LANGUAGES C)
find_package(belay ${ASKED})
file(WRITE "${CMAKE_BINARY_DIR}/found" "${belay_VERSION}")
END

refused() { # TEXT COMMAND...
  text=$1
  shift
  if "$@" >"$out/log" 2>&1; then cat "$out/log" && echo "not refused: $*" && exit 1; fi
  # CMake breaks the lines.
  tr -s ' \n' ' ' <"$out/log" | grep -qF -e "$text" || { cat "$out/log" && echo "no word of: $text" && exit 1; }
}
find_it() { # ASKED OPTION...
  asked=$1
  shift
  rm -rf "$out/build"
  "$CMAKE" -S "$out/project" -B "$out/build" "-DCMAKE_C_COMPILER=$CC" "-DCMAKE_PREFIX_PATH=$prefix" "-DASKED=$asked" "$@"
}
version=$(sed -n 's/^Version: //p' "$(find "$prefix" -name belay.pc)")
minor=${version%.*}
find_it "$minor;REQUIRED;COMPONENTS;shared;static;testing;cpp" >"$out/log" 2>&1 || { cat "$out/log" && exit 1; }
major=${minor%.*}
refused "version: $version" find_it "$major.$((${minor#*.} + 1));REQUIRED"
refused "version: $version" find_it "$((major + 1));REQUIRED"
refused 'component "nothing" was asked for' find_it "$minor;REQUIRED;COMPONENTS;nothing"
find_it "$minor;REQUIRED;OPTIONAL_COMPONENTS;nothing" >"$out/log" 2>&1 || { cat "$out/log" && exit 1; }
# A later minor version gives what this one has: docs/versions.md.
later=$major.$((${minor#*.} + 8)).0
cp -R "$prefix" "$out/later"
find "$out/later" -name belayConfigVersion.cmake -exec sed -i "s/$version/$later/" {} +
find "$out/later" -name belay.pc -exec sed -i "s/^Version: .*/Version: $later/" {} +
(prefix=$out/later && find_it "$minor;REQUIRED") >"$out/log" 2>&1 || { cat "$out/log" && exit 1; }
grep -q "$later" "$out/build/found" || { echo "find_package found $(cat "$out/build/found"), and not $later" && exit 1; }
(export PKG_CONFIG_PATH="$(dirname "$(find "$out/later" -name belay.pc)"):${PKG_CONFIG_PATH:-}"
  for name in belay-glib belay-testing; do
    [ ! -e "$(find "$prefix" -name $name.pc)" ] || pkg-config --print-errors --exists "$name" "$name >= $minor"
  done
  [ "$(pkg-config --modversion "belay >= $minor")" = "$later" ])
# As without Debian's libbelay-testing.
cp -R "$prefix" "$out/prefix"
find "$out/prefix" -name 'belayTestingTargets*' -exec rm {} +
prefix=$out/prefix
refused 'component "testing" was asked for' find_it "$minor;REQUIRED;COMPONENTS;shared;testing"
if [ -e "$(find "$prefix" -name belayGLibTargets.cmake)" ]; then
  # Without pkg-config's files CMake finds libuv by itself.
  export PKG_CONFIG_LIBDIR=/nowhere
  refused "finds no gobject-2.0" find_it "$minor;REQUIRED;COMPONENTS;glib"
  unset PKG_CONFIG_LIBDIR
fi

# The oldest libuv. The pages and Debian's packages name the same one.
wanted=$(sed -n 's/^set(BELAY_UV_VERSION \(.*\))/\1/p' "$SOURCE/cmake/BelayUV.cmake")
for page in README.md docs/versions.md docs/site/install.md packaging/release/README.md packaging/debian/control; do
  grep -oE 'libuv(1|1-dev)? (from )?\(?(>= )?[0-9]+\.[0-9]+' "$SOURCE/$page" >"$out/named"
  if grep -v "[ (]$wanted\$" "$out/named"; then echo "$page names it, and not libuv $wanted" && exit 1; fi
done
# The one before it.
older=${wanted%.*}.$((${wanted#*.} - 1))
echo '#include "uv/version.h"' >"$out/old/uv.h"
printf '#define UV_VERSION_MAJOR %s\n#define UV_VERSION_MINOR %s\n' "${older%.*}" "${older#*.}" >"$out/old/uv/version.h"
too_old="libuv $wanted or later is needed, and $out/old/uv.h is that of $older"
refused "$too_old" find_it "$minor;REQUIRED" "-DBELAY_UV_INCLUDE_DIR=$out/old"
refused "$too_old" "$CMAKE" -S "$SOURCE" -B "$out/own" "-DCMAKE_C_COMPILER=$CC" "-DBELAY_UV_INCLUDE_DIR=$out/old"
sed "s/^Version:.*/Version: $older.0/" "$(pkg-config --variable=pcfiledir libuv)/libuv.pc" >"$out/old/libuv.pc"
export PKG_CONFIG_PATH="$out/old:$(dirname "$(find "$prefix" -name belay.pc)")"
refused "libuv >= $wanted" pkg-config --print-errors --static --libs belay
