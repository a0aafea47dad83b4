#!/bin/sh
# releasable.sh: in a copy of the tree that could be released, each thing that could not be is refused, also by
# scripts/release, which then makes nothing.
set -eu
command -v abidiff >/dev/null || { echo "skipped: no abidiff" && exit 77; }
copy=$WORK/releasable
rm -rf "$copy"
mkdir -p "$copy/tree"
(cd "$SOURCE" && git ls-files -z >"$copy/files" && tar -cf "$copy/tree.tar" --null -T "$copy/files")
tar -xf "$copy/tree.tar" -C "$copy/tree"
cd "$copy/tree"
export SOURCE="$copy/tree" WORK="$copy" LC_ALL=C GIT_CONFIG_GLOBAL=/dev/null
unset FINAL
git init -q
git config user.name nobody && git config user.email nobody@example.org
number() { sed -n "s/^#define BELAY_VERSION_$1 //p" include/belay/version.h; }
minor=$(number MAJOR).$(number MINOR)
version=$minor.$(number PATCH)

sed -i 's/^Maintainer: .*/Maintainer: Some Body <somebody@example.org>/' packaging/debian/control
sed -i 's/`\.invalid`/somebody@example.org/' SECURITY.md
if grep -q "^## $minor\.0, unreleased\$" CHANGELOG.md; then sh Tests/Package/abi.sh write; fi
sed -i "s/^## $version, .*/## $version, 2026-01-01/" CHANGELOG.md
# It would install what else a release needs. Here it ends where that begins.
printf '#!/bin/sh\n[ "$1" != bindings ] || { echo "It goes on." && exit 3; }\n' >scripts/setup
mkdir dist && touch dist/kept && echo dist >.git/info/exclude
git add -A && git commit -qm "Made up"

expect() { # CODE TEXT COMMAND...
  code=$1 text=$2
  shift 2
  status=0
  "$@" >"$copy/told" 2>&1 || status=$?
  if [ $status != "$code" ] || ! grep -qF -e "$text" "$copy/told" || [ ! -e dist/kept ]; then
    cat "$copy/told"
    echo "$*: ended with $status and not with $code, or did not say: $text"
    exit 1
  fi
}
again() { # the commit that can be released
  git reset -q --hard base
  git clean -qfd
}
git tag base
expect 3 "It goes on." scripts/release
says() { grep -qF -e "$1" "$copy/told" || { cat "$copy/told" && echo "It did not say: $1" && exit 1; }; }

sed -i 's/^Maintainer: .*/Maintainer: Nobody <nobody@belay.invalid>/' packaging/debian/control
echo "Nobody reads nobody@belay.invalid." >>SECURITY.md
sed -i "s/^## $version, .*/## $version, unreleased/" CHANGELOG.md
# A function that is not in the frozen ABI.
sed -i 's|^BELAY_END|/* Made up. */\nBELAY_EXPORT void belay_signal_invented(belay_signal *signal);\n\n&|' include/belay/signal.h
git commit -qam "All that can be lacking"
expect 1 "packaging/debian/control names no real address" env FINAL=1 scripts/release
says "SECURITY.md says that nobody can be written to"
says "CHANGELOG.md gives $version no date"
[ "$version" != "$minor.0" ] || says "The frozen ABI of $minor is not that of the headers"
expect 3 "packaging/debian/control names no real address" scripts/release
says "It goes on."
again
sed -i 's|^BELAY_END|/* Made up. */\nBELAY_EXPORT void belay_signal_invented(belay_signal *signal);\n\n&|' include/belay/signal.h
git commit -qam "An addition behind the date"
expect 1 "$minor is released, so its ledger of symbols stays as it is, and belay_signal_invented" scripts/releasable
says "$minor is released, so only the next minor version may add this"
again
echo >>README.md
expect 1 " M README.md" scripts/release
