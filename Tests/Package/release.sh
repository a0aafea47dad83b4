#!/bin/sh
# release.sh: a user without Swift builds the source release of this machine's processor, by make with CC and by
# CMake with OTHER_CC, and uses what that installs, shared and static.
set -eu
out=$WORK/release
rm -rf "$out"
mkdir -p "$out/bin"
refused() { # TEXT COMMAND...
  text=$1
  shift
  if "$@" >"$out/refused" 2>&1; then echo "not refused: $*" && exit 1; fi
  grep -qF -e "$text" "$out/refused" || { cat "$out/refused" && exit 1; }
}

# Of a developer's tree, which may have changes. DIST is from here.
export DRAFT=1
DIST=$out/dist "$SOURCE/scripts/source-release" "$(uname -m)" >/dev/null
(cd "$out" && DIST=again "$SOURCE/scripts/source-release" "$(uname -m)" >/dev/null)
cmp "$out"/dist/*.tar.xz "$out"/again/*.tar.xz
cmp "$out"/dist/*.spdx.json "$out"/again/*.spdx.json

# A file is missing, which is a change as well. (git clones no repository of another user.)
mkdir "$out/copy"
(cd "$SOURCE" && git ls-files -z >"$out/files" && tar -cf "$out/copy.tar" --null -T "$out/files")
tar -xf "$out/copy.tar" -C "$out/copy"
git -C "$out/copy" init -q
git -C "$out/copy" add -A
ln -s "$SOURCE/build" "$out/copy/build"
rm "$out/copy/cmake/BelayFFI.cmake" "$out/copy.tar"
refused "BelayFFI.cmake: Cannot stat" env LC_ALL=C "DIST=$out/none" "$out/copy/scripts/source-release" "$(uname -m)"
unset DRAFT
refused "the work tree has changes" env "DIST=$out/none" "$out/copy/scripts/source-release" "$(uname -m)"
if find "$out/none" -name '*.tar*' | grep .; then echo "an archive was made" && exit 1; fi

tar -xf "$out"/dist/*.tar.xz -C "$out"
cd "$out"/belay-*/
if grep -rlF -e "$SOURCE" -e "$BUILD" .; then echo "has a path of the machine that made it" && exit 1; fi

"$SOURCE/scripts/own-paths" core
# It finds each such folder.
mkdir "$out/paths"
export HOME=/nobodys
for path in "$SOURCE/Sources" /tmp/swift-1.o /root/a.swift /nobodys/a.swift /usr/lib/swift/embedded \
  "${SWIFTC%/usr/bin/*}/share/swift"; do
  printf '\t.file\t"%s"\n' "$path" >"$out/paths/core.s"
  refused "names a folder of the machine" "$SOURCE/scripts/own-paths" "$out/paths"
done

# From here on no program beside the Swift compiler can be found, but one by its own name.
ln -s "$(command -v "$OTHER_CC")" "$out/bin/other-cc"
whole=$PATH
export PATH="$out/bin:/usr/bin:/bin" LD_LIBRARY_PATH=
if command -v swiftc; then echo "has a Swift compiler" && exit 1; fi

use() { # PREFIX WAY FLAGS...: builds and runs the first program
  prefix=$1 program=$out/hello-$2
  shift 2
  "$CC" hello.c -o "$program" "-I$prefix/include" "$@"
  LD_LIBRARY_PATH=$prefix/lib "$program" | cmp - "$SOURCE/Examples/hello/expected.txt"
}

make -s "CC=$CC" >make.log 2>&1 && [ ! -s make.log ] || { cat make.log && exit 1; }
make -s install "CC=$CC" "PREFIX=$out/made"
[ -e "$out/made/share/man/man3/belay_signal_subscribe.3" ]
# The same below a relative DESTDIR, and in a folder with such a name; of a careful root's everybody can read all.
(umask 077 && make -s install "CC=$CC" "PREFIX=$out/made" DESTDIR=staged)
diff -r "$out/made" "staged$out/made"
if find "staged$out/made" ! -perm -o=r | grep .; then echo "only its owner can read it" && exit 1; fi
odd="$out/made & such"
make -s install "CC=$CC" "PREFIX=$odd"
eval "use \"\$odd\" odd $(PKG_CONFIG_PATH=$odd/lib/pkgconfig pkg-config --cflags --libs belay)"
refused 'PREFIX is "made", and must be an absolute path' make install "CC=$CC" PREFIX=made
refused 'There is no C compiler "nothing"' make CC=nothing
refused 'There is no "nothing"' make "CC=$CC" PKG_CONFIG=nothing
uv=$(sed -n 's/.* libuv from \(.*\) on and libffi,.*/\1/p' README.md)
refused "Belay needs libuv $uv or later" env PKG_CONFIG_LIBDIR=/nowhere make "CC=$CC"
PATH=$whole python3 "$SOURCE/Tests/Package/sbom.py" "$out"/dist/*.spdx.json "$out"/dist/*.tar.xz
# pkg-config quotes for a shell.
eval "use '$out/made' made $(PKG_CONFIG_PATH=$out/made/lib/pkgconfig pkg-config --cflags --libs belay)"
# The core wants the libuv that it was compiled for, in a release the one that the README names; the first program
# tells so.
uv=$(pkg-config --modversion libuv | cut -d . -f 1,2)
printf 'unsigned uv_version(void) { return %s; }\n' "$((${uv%.*} << 16 | (${uv#*.} - 1) << 8))" >older.c
"$CC" -shared -fPIC older.c -o older.so
refused "and Belay is made for $uv" env "LD_PRELOAD=$PWD/older.so" "$out/hello-made"
use "$out/made" made-static "$out/made/lib/libbelay.a" $(pkg-config --libs libuv libffi) -lm -lpthread

"$CMAKE" -S . -B cmake-build -DCMAKE_C_COMPILER=other-cc -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
"$CMAKE" --build cmake-build >cmake.log 2>&1 && ! grep -i warning cmake.log || { cat cmake.log && exit 1; }
"$CMAKE" --install cmake-build --prefix "$out/cmake" >/dev/null
diff -r "$out/made/share/man" "$out/cmake/share/man"
PATH=$whole NM=$NM "$SOURCE/scripts/api" symbols "$out/made/lib/libbelay.so"
for archive in "$out"/made/lib/*.a "$out"/cmake/lib/*.a; do
  "$NM" -g --defined-only "$archive" | awk '$2 ~ /[A-Z]/ && $3 !~ /^(belay_|_\.stapsdt\.base$)/ { print; bad = 1 } END { exit bad }'
done
use "$out/cmake" cmake "-L$out/cmake/lib" -lbelay
use "$out/cmake" cmake-static "$out/cmake/lib/libbelay.a" $(pkg-config --libs libuv libffi) -lm -lpthread
for kind in shared static testing; do
  "$CMAKE" -S "$SOURCE/Tests/Package/consumer" -B "$out/consumer-$kind" "-DCMAKE_PREFIX_PATH=$out/cmake" \
    "-DKIND=$kind" "-DCMAKE_C_COMPILER=$CC" >/dev/null
  "$CMAKE" --build "$out/consumer-$kind" >/dev/null
  (cd "$out/consumer-$kind" && "$(dirname "$CMAKE")/ctest" --output-on-failure >/dev/null)
done

# What needs the repository is refused with a reason.
refused "BELAY_CHECKED needs a Swift compiler" "$CMAKE" -S . -B checked -DBELAY_CHECKED=ON
# So is a machine that it has no core for.
refused "has no core for riscv64" \
  "$CMAKE" -S . -B foreign -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=riscv64
printf '#!/bin/sh\necho riscv64-linux-gnu\n' >"$out/bin/foreign-cc"
chmod +x "$out/bin/foreign-cc"
refused "has no core for riscv64" make CC=foreign-cc
