# common.sh: read first by the scripts that make and try a release. They are in the repository's folder then, and have
# `version`; `uv`, the libuv that a release asks for; `dist`, the folder of what is made (DIST, or dist); and
# temporary(), which makes the folder `work`. cleanup() is what is done at their end.
absolute() { # VARIABLE...: a path in it is from where the script was called
  for variable; do
    eval "value=\${$variable:-/}"
    case $value in /*) ;; *) eval "$variable=\$PWD/\$value" ;; esac
  done
}
absolute DIST BELAY_PREFIX BELAY_LIB_DIR BELAY_RELEASE
cd "$(dirname "$0")/.."
dist=${DIST:-$PWD/dist}
number() { sed -n "s/^#define BELAY_VERSION_$1 //p" include/belay/version.h; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)
uv=$(sed -n 's/^set(BELAY_UV_VERSION \(.*\))/\1/p' cmake/BelayUV.cmake)

cleanup() { rm -rf "$work"; }
temporary() { # [TEMPLATE OF mktemp]
  work=$(mktemp -d "$@")
  trap cleanup EXIT
  # Not every shell runs the other trap at a signal.
  trap 'exit 1' HUP INT TERM
}
