#!/bin/sh
# test.sh: the tests of the binding and its example, and what clippy says, where it is, against the
# library in BELAY_LIB_DIR. The last line is "N passed, N failed". Skipped without cargo.
set -eu
cd "$(dirname "$0")"
if ! command -v cargo >/dev/null 2>&1; then
  if [ "${BELAY_REQUIRE_BINDINGS:-0}" = 1 ]; then
    echo "the Rust binding could not be tested: there is no cargo"
    exit 1
  fi
  echo "the Rust binding was not tested: there is no cargo"
  exit 77
fi
: "${BELAY_LIB_DIR:?is where libbelay.so is}" "${CARGO_TARGET_DIR:=target}"
export CARGO_TARGET_DIR
export LD_LIBRARY_PATH="$BELAY_LIB_DIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export RUSTFLAGS="-D warnings" RUSTDOCFLAGS="-D warnings"
# Nobody debugs what is built here, or edits a part of it and builds again.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0 CARGO_INCREMENTAL=0
log=$CARGO_TARGET_DIR/test.log
mkdir -p "$CARGO_TARGET_DIR"
. ../../Tests/tally.sh

# Runs a check that counts as one.
check() { # NAME COMMAND...
  name=$1
  shift
  if "$@" >"$log" 2>&1; then
    pass
  else
    miss "$name:"
    cat "$log"
  fi
}

status=0
cargo test --offline --workspace --features belay/testing --no-fail-fast -- --show-output >"$log" 2>&1 || status=$?
cat "$log"
sum() { awk -v what="$1" '/^test result:/ { for (i = 2; i <= NF; i++) if ($i == what) n += $(i - 1) }
  END { print n + 0 }' "$log"; }
passed=$(sum passed\;)
failed=$(sum failed\;)
# What does not compile has no result.
if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi

check "wordcount is built" cargo build --offline -q -p belay --example wordcount
check "wordcount" sh ../../Examples/wordcount/test.sh "$CARGO_TARGET_DIR/debug/examples/wordcount"
check "the documentation" cargo doc --offline -q --no-deps -p belay -p belay-sys --features belay/testing
if cargo clippy --version >/dev/null 2>&1; then
  check "clippy" cargo clippy --offline -q --workspace --all-targets --features belay/testing
elif [ "${BELAY_REQUIRE_BINDINGS:-0}" = 1 ]; then
  miss "there is no clippy"
else
  echo "skipped: there is no clippy"
  pass # scripts/tally takes it off again
fi
tell
