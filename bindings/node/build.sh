#!/bin/sh
# build.sh: builds the add-on, with Belay inside. libuv's functions stay undefined, for they are Node's
# own: one binary is for every Node since 20.
#   BELAY_LIB_DIR: where libbelay-testing.a is; BELAY_INCLUDE_DIR: its headers (this tree's);
#   NODE_INCLUDE_DIR: Node's headers (those of node); TARGET: where it is put (prebuilds);
#   CFLAGS: how it is compiled (-O2 -g0); WHOLE: where it is put with its symbols, if that is given
set -eu
cd "$(dirname "$0")"
. ./headers.sh
: "${BELAY_LIB_DIR:?is where libbelay-testing.a is}" "${NODE_INCLUDE_DIR:?is where node_api.h is}"
# Debian's libffi.a is not for shared objects; another one of its is.
libffi=$(${CC:-cc} -print-file-name=libffi_pic.a)
[ -e "$libffi" ] || libffi=-l:libffi.a
target=${TARGET:-prebuilds}/$(node -p 'process.platform + "-" + process.arch')
mkdir -p "$target"
set --
[ -z "${WHOLE:-}" ] || set -- -g "-ffile-prefix-map=${PWD%/bindings/node}=."
# Flags are words.
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -D_GNU_SOURCE ${CFLAGS:--O2 -g0} -Wall -Wextra -Werror -fPIC -shared -fvisibility=hidden "$@" \
  -isystem "$NODE_INCLUDE_DIR" -I "${BELAY_INCLUDE_DIR:-../../include}" native/*.c \
  "$BELAY_LIB_DIR/libbelay-testing.a" "$libffi" -lm -lpthread \
  -Wl,--gc-sections,-z,nodelete,--build-id -o "$target/libbelay.node"
[ -z "${WHOLE:-}" ] || cp "$target/libbelay.node" "$WHOLE"
strip "$target/libbelay.node"
