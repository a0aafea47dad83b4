#!/bin/sh
# abi_released.sh: in a copy of the headers, abi.sh accepts what may be added as long as the changelog says that the
# minor version is unreleased, and refuses it afterwards.
set -eu
command -v abidiff >/dev/null || { echo "skipped: no abidiff" && exit 77; }
tree=$SOURCE copy=$WORK/released
rm -rf "$copy"
mkdir -p "$copy/Tests/Package" "$copy/cmake" "$copy/scripts"
cp -R "$tree/include" "$copy"
cp -R "$tree/Tests/Package/abi" "$tree/Tests/Package/symbols.txt" "$copy/Tests/Package"
cp "$tree/cmake/belay.map" "$copy/cmake"
ln -s "$tree/scripts/description" "$copy/scripts"
cp "$tree/scripts/api" "$copy/scripts"
number() { sed -n "s/^#define BELAY_VERSION_$1 //p" "$copy/include/belay/version.h"; }
version=$(number MAJOR).$(number MINOR) header=$copy/include/belay/signal.h
abi() { # CHANGELOG [COMMAND]
  echo "## $version.0, $1" >"$copy/CHANGELOG.md"
  SOURCE=$copy WORK=$copy/build CHANGELOG=$copy/CHANGELOG.md sh "$tree/Tests/Package/abi.sh" ${2+"$2"} >"$copy/told" 2>&1
}
accepted() { abi "$@" || { cat "$copy/told" && echo "not accepted: $*" && exit 1; }; }
refused() { # TEXT CHANGELOG [COMMAND]
  text=$1
  shift
  if abi "$@"; then echo "not refused: $*" && exit 1; fi
  grep -qF -e "$text" "$copy/told" || { cat "$copy/told" && exit 1; }
}

rm "$copy/Tests/Package/abi/$version.xml.xz"
refused "The ABI of $version is not frozen" 2026-01-01
refused "The ABI of $version is not frozen" unreleased frozen
accepted unreleased write
refused "$version is released, so its ABI stays as it is" 2026-01-01 write
for changelog in unreleased 2026-01-01; do
  accepted "$changelog"
  accepted "$changelog" frozen
done

added() { # WHAT: was added to the headers
  accepted unreleased
  refused "The frozen ABI of $version is not that of the headers" unreleased frozen
  grep -qF -e "$1" "$copy/told" || { cat "$copy/told" && exit 1; }
  refused "$version is released, so only the next minor version may add this" 2026-01-01
  grep -qF -e "$1" "$copy/told" || { cat "$copy/told" && exit 1; }
  cp "$tree/include/belay/signal.h" "$header"
}
sed -i 's|^BELAY_END|/* Made up. */\nBELAY_EXPORT void belay_signal_invented(belay_signal *signal);\n\n&|' "$header"
added belay_signal_invented
sed -i 's|^} belay_source_options;|  void *invented;\n&|' "$header"
added invented

# A later minor version may add to what the released one has.
sed -i 's|^BELAY_END|/* Made up. */\nBELAY_EXPORT void belay_signal_invented(belay_signal *signal);\n\n&|' "$header"
next=$(number MAJOR).$(($(number MINOR) + 1))
sed -i "s/^\(#define BELAY_VERSION_MINOR\) .*/\1 ${next#*.}/" "$copy/include/belay/version.h"
version=$next
accepted unreleased
refused "The ABI of $next is not frozen" unreleased frozen
accepted unreleased write
accepted 2026-01-01
