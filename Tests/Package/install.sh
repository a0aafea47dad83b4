#!/bin/sh
# Installs into a prefix and again under DESTDIR. Both have the same files, and none has a build path. A relative prefix
# means what it means to the shell.
set -eu
rm -rf "$WORK/prefix" "$WORK/dest"
"$CMAKE" --install "$BUILD" --prefix "$WORK/prefix" >/dev/null
DESTDIR=$WORK/dest "$CMAKE" --install "$BUILD" --prefix /usr/somewhere >/dev/null

(cd "$WORK/prefix" && find . ! -type d | sort) >"$WORK/prefix.list"
(cd "$WORK/dest/usr/somewhere" && find . ! -type d | sort) >"$WORK/dest.list"
diff "$WORK/prefix.list" "$WORK/dest.list"
for file in belay.h belay.pc belayConfig.cmake libbelay.a libbelay.so testing.h belay-testing.pc \
  libbelay-testing.a libbelay-testing.so CBelay/module.modulemap; do
  grep -q "/$file\$" "$WORK/prefix.list" || { echo "$file is not installed"; exit 1; }
done

rm -rf "$WORK/relative"
(cd "$WORK" && "$CMAKE" --install "$BUILD" --prefix relative >/dev/null)
grep -qx "prefix=$WORK/relative" "$(find "$WORK/relative" -name belay.pc)"

pc=$(find "$WORK/dest" -name belay.pc)
grep -qx 'prefix=/usr/somewhere' "$pc" || { cat "$pc"; exit 1; }
if find "$WORK/dest" \( -name '*.pc' -o -name '*.cmake' \) \
  -exec grep -lF -e "$BUILD" -e "$SOURCE" {} + | grep .; then
  echo "names the build directory"
  exit 1
fi
