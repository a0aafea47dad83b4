#!/bin/sh
# test.sh [TEST...] | bench [--rounds N]: installs the package from this tree, by pip, into an environment of
# its own, and runs its tests there under Python's debug hooks, or its benchmark. The last line of tests is
# "N passed, N failed", and behind it ", N skipped" where some were. Ends with 77, and says why, where Python or
# a package of it is missing; with BELAY_REQUIRE_BINDINGS=1 with 1.
#   WORK: where the environment is (build/python); BELAY_PREFIX: a Belay that has been built;
#   BELAY_BUILD_TYPE: CMake's, of what is built here (Release); EXTRAS: 0 for tests that need no other
#   packages;
#   SANITIZE: 1 for AddressSanitizer in the extension module, valgrind for all of the process. Then the
#   tests are those of threads and lifetimes, unless others are named; BELAY_SOAK=n makes the soak n times
#   as long.
set -eu
cd "$(dirname "$0")"
work=${WORK:-../../build/python}
mkdir -p "$work"
work=$(cd "$work" && pwd)
venv=$work/venv

skip() {
  echo "skipped: $1"
  [ "${BELAY_REQUIRE_BINDINGS:-}" != 1 ] || exit 1
  exit 77
}

if [ ! -e "$venv/ready" ]; then
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    skip "there is no python3, 3.11 or later"
  python3 -m venv --clear "$venv" >"$work/log" 2>&1 || skip "python3 has no venv"
  "$venv/bin/pip" install -q cffi scikit-build-core >"$work/log" 2>&1 ||
    skip "pip cannot get cffi and scikit-build-core"
  touch "$venv/ready"
fi
# Single tests need these, and are skipped without them: the types (reactivex is for those of bench),
# an editor's completion, pytest, asyncio on uvloop, trio's loop.
extras="mypy basedpyright reactivex jedi pytest uvloop trio"
[ "${EXTRAS:-1}" = 1 ] || extras=
missing=$("$venv/bin/python" -c '
import importlib.util, sys
print(*(each for each in sys.argv[1:] if not importlib.util.find_spec(each)))' $extras)
# Together, or else those that can be had.
[ -z "$missing" ] || "$venv/bin/pip" install -q $missing >"$work/log" 2>&1 ||
  for each in $missing; do "$venv/bin/pip" install -q "$each" >"$work/log" 2>&1 || true; done
"$venv/bin/python" -c 'import sysconfig, os; sys = sysconfig.get_path("include"); exit(not os.path.exists(sys + "/Python.h"))' ||
  skip "python3 has no headers"

native=$work/native flags=''
if [ -n "${SANITIZE:-}" ] && [ $# -eq 0 ]; then
  set -- test_soak_threads test_lifetimes test_elsewhere test_signals
fi
case ${SANITIZE:-}${1:-} in
bench)
  "$venv/bin/python" -c 'import reactivex' 2>/dev/null || skip "pip cannot get reactivex"
  shift
  set -- "$venv/bin/python" bench/chain3.py "$@"
  ;;
1*)
  # Python itself is without it, and leaks at its end.
  native=$native-asan flags="-fsanitize=address -fno-omit-frame-pointer -g"
  preload="$(${CC:-cc} -print-file-name=libasan.so) $(${CC:-cc} -print-file-name=libstdc++.so)"
  set -- env LD_PRELOAD="$preload" PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 \
    "$venv/bin/python" -X faulthandler tests/run.py "$@"
  ;;
valgrind*)
  command -v valgrind >/dev/null 2>&1 || skip "there is no valgrind"
  # CPython's small integers look uninitialised.
  set -- env PYTHONMALLOC=malloc valgrind -q --undef-value-errors=no --error-exitcode=9 --fair-sched=yes \
    "$venv/bin/python" tests/run.py "$@"
  ;;
*) set -- "$venv/bin/python" -X dev -X faulthandler tests/run.py "$@" ;;
esac

echo "pip install ./bindings/python"
"$venv/bin/pip" install -q --no-build-isolation --no-deps --force-reinstall . \
  -C build-dir="$native" -C cmake.define.CMAKE_C_FLAGS="$flags" -C cmake.build-type="${BELAY_BUILD_TYPE:-Release}" -C cmake.define.BELAY_PREFIX="${BELAY_PREFIX:-}" >"$work/log" 2>&1 || {
  cat "$work/log"
  echo "0 passed, 1 failed"
  exit 1
}
export BELAY_INSTALLED=1
exec "$@"
