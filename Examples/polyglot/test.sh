#!/bin/sh
# test.sh: builds the host, and the plug-in in both ways. Compares what Python hears with expected.txt,
# also under valgrind.
#   BELAY_LIB_DIR: where the library is; PYTHON: a python that has the package; WORK: where to build.
set -eu
cd "$(dirname "$0")"
include=$(cd ../../include && pwd)

skip() {
  echo "skipped: $1"
  [ "${BELAY_REQUIRE_BINDINGS:-}" != 1 ] || exit 1
  exit 77
}
for tool in cargo valgrind; do
  command -v $tool >/dev/null 2>&1 || skip "there is no $tool"
done
"$PYTHON" -c "import libbelay" 2>/dev/null || skip "$PYTHON has no libbelay"
config=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_config_var("BINDIR"))')/python3-config
[ -x "$config" ] || skip "there is no $config"

mkdir -p "$WORK"
# shellcheck disable=SC2046 # the options are words
cc -Wall -Wextra -Werror -o "$WORK/polyglot" host/polyglot.c "-I$include" $("$config" --includes) \
  "-L$BELAY_LIB_DIR" "-Wl,-rpath,$BELAY_LIB_DIR" -lbelay -luv $("$config" --embed --ldflags)

PYTHONPATH=$PWD:$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
# For the libraries that the archive needs.
PKG_CONFIG_PATH=$BELAY_LIB_DIR/pkgconfig:$BELAY_LIB_DIR
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1 PYTHONMALLOC=malloc BELAY_LIB_DIR PKG_CONFIG_PATH
for feature in "" static; do
  CARGO_TARGET_DIR="$WORK/plugin$feature" \
    cargo build --quiet --offline --manifest-path plugin/Cargo.toml --features "$feature"
  plugin=$WORK/plugin$feature/debug/libpolyglot_plugin.so
  "$WORK/polyglot" "$plugin" <input.txt >"$WORK/out"
  diff expected.txt "$WORK/out"
  # What CPython does with its small integers looks uninitialised.
  valgrind -q --undef-value-errors=no --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
    --show-leak-kinds=definite --suppressions=python.supp "$WORK/polyglot" "$plugin" <input.txt >"$WORK/out"
  diff expected.txt "$WORK/out"
done
