#!/bin/sh
# pack.sh FOLDER: builds the add-on and packs the binding with it by npm into FOLDER, as
# libbelay-VERSION.tgz. The packed files are in FOLDER/package then. NPM: the npm (npm); for the
# rest see build.sh.
set -eu
cd "$(dirname "$0")"
to=${1:?is where the package goes}
rm -rf "$to/package"
mkdir -p "$to/package"
cp -r index.* testing.* lib package.json README.md ../../LICENSE "$to/package"
# libffi is inside, too.
for notice in /usr/share/doc/libffi*/copyright; do
  [ ! -e "$notice" ] || cp -L "$notice" "$to/package/LICENSE.libffi"
done
TARGET=$(cd "$to/package" && pwd)/prebuilds sh ./build.sh
cd "$to/package"
# Maybe two words.
# shellcheck disable=SC2086
exec ${NPM:-npm} pack --silent --pack-destination ..
