#!/bin/sh
# abi.sh [write | frozen]: what the headers promise is still what the frozen ABIs in Tests/Package/abi promise: new
# functions, and new members at the end of a struct with a size, and nothing else. Where CHANGELOG.md says that the
# minor version of version.h is released, the headers may add nothing to that either. With `frozen` they may not before
# the release: the ABI that is frozen is that of the headers. Ends with 77 where abidiff is not (Debian: abigail-tools).
# `write` freezes the present ABI as that of the version in version.h, as long as CHANGELOG.md gives this no date.
set -eu
: "${SOURCE:=$(cd "$(dirname "$0")/../.." && pwd)}" "${WORK:=$SOURCE/build}" "${CC:=cc}" "${CHANGELOG:=$SOURCE/CHANGELOG.md}"
folder=$SOURCE/Tests/Package/abi
command -v abidiff >/dev/null || { echo "skipped: no abidiff" && exit 77; }
number() { sed -n "s/^#define BELAY_VERSION_$1 //p" "$SOURCE/include/belay/version.h"; }
version=$(number MAJOR).$(number MINOR)
own=$folder/$version.xml.xz released=
if grep -qE "^## $version\.0, [0-9]{4}-[0-9]{2}-[0-9]{2}\$" "$CHANGELOG"; then released=yes; fi
now=$WORK/abi
mkdir -p "$now"
if [ "${1-}" = write ] && [ -e "$own" ] && [ "$released" ]; then
  echo "$version is released, so its ABI stays as it is: docs/versions.md." >&2
  exit 1
fi
if [ "${1-}" != write ] && [ ! -e "$own" ] && [ "$released${1-}" ]; then
  echo "The ABI of $version is not frozen: sh Tests/Package/abi.sh write." >&2
  exit 1
fi

"$SOURCE/scripts/api" stubs >"$now/stubs.c"
"$CC" -g -gdwarf-4 -O0 -fPIC -shared -I "$SOURCE/include" -Wl,--version-script="$SOURCE/cmake/belay.map" \
  "-Wl,-soname,libbelay.so.$(number MAJOR)" "$now/stubs.c" -o "$now/stubs.so"
abidw --no-show-locs --no-corpus-path --no-comp-dir-path --no-elf-needed --type-id-style hash \
  --out-file "$now/$version.xml" "$now/stubs.so"
if [ "${1-}" = write ]; then
  xz -9 -c "$now/$version.xml" >"$own"
  exit
fi

for frozen in "$folder"/*.xml.xz; do
  xz -dc "$frozen" >"$now/frozen.xml"
  if ! abidiff --no-added-syms --suppressions "$folder/allowed.ini" "$now/frozen.xml" "$now/$version.xml"; then
    echo "This breaks programs that were built with $(basename "$frozen" .xml.xz), if that is released: see docs/versions.md."
    exit 1
  fi
  [ "$frozen" = "$own" ] || continue
  if [ "$released${1-}" ] && ! abidiff --harmless "$now/frozen.xml" "$now/$version.xml"; then
    if [ "$released" ]; then
      echo "$version is released, so only the next minor version may add this: docs/versions.md."
    else
      echo "The frozen ABI of $version is not that of the headers: sh Tests/Package/abi.sh write."
    fi
    exit 1
  fi
done
