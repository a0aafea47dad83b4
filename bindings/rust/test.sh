#!/bin/sh
# test.sh: the tests of the binding and its example, and what clippy says, where it is, against the
# library in BELAY_LIB_DIR; with BELAY_RELEASE, instead of all that, a user's program with that source release
# and no library. The last line is "N passed, N failed". Skipped without cargo.
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
# Also a program in such a folder builds the release.
[ -z "${BELAY_RELEASE:-}" ] || CARGO_TARGET_DIR="$CARGO_TARGET_DIR/a folder"
export CARGO_TARGET_DIR
# A build folder has belay.pc beside the archive, a prefix below it.
export PKG_CONFIG_PATH="$BELAY_LIB_DIR/pkgconfig:$BELAY_LIB_DIR"
# Every program finds the library by itself, as its build script has told it.
unset LD_LIBRARY_PATH
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

consumer() { # FEATURES
  cargo build --offline -q --manifest-path consumer/Cargo.toml --features "$1" || return 1
  [ "$("$CARGO_TARGET_DIR/debug/consumer" | tr '\n' ' ')" = "0 1 2 " ]
}
if [ -n "${BELAY_RELEASE:-}" ]; then
  unset BELAY_LIB_DIR BELAY_PREFIX
  # pkg-config knows libuv and libffi, and no Belay.
  export PKG_CONFIG_PATH=
  if pkg-config --exists belay; then echo "there is a Belay" && exit 1; fi
  check "a program of a user's builds the release" consumer ""
  linked() { ldd "$CARGO_TARGET_DIR/debug/consumer" >"$log.ldd" && grep -q libuv "$log.ldd" && ! grep libbelay "$log.ldd"; }
  check "and links its archive" linked
  broken() {
    ! BELAY_RELEASE=/nowhere cargo build --offline -q -p belay-sys >"$log.refused" 2>&1 && grep -q '"/nowhere".*: tar:' "$log.refused"
  }
  check "a release that is nowhere" broken
  relative() { # VARIABLE
    ! env "$1=../belay" cargo build --offline -q -p belay-sys >"$log.refused" 2>&1 &&
      grep -q "$1 is \"../belay\", and must be an absolute path" "$log.refused"
  }
  for name in BELAY_RELEASE BELAY_PREFIX BELAY_LIB_DIR; do check "a relative $name" relative $name; done
  tell
  exit
fi

status=0
cargo test --offline --workspace --features belay/testing --no-fail-fast -- --show-output >"$log" 2>&1 || status=$?
cat "$log"
cp "$log" "$log.tests"
sum() { awk -v what="$1" '/^test result:/ { for (i = 2; i <= NF; i++) if ($i == what) n += $(i - 1) }
  END { print n + 0 }' "$log"; }
passed=$(sum passed\;)
failed=$(sum failed\;)
# A file that does not compile has no result.
if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi

for example in hello wordcount; do
  check "$example is built" cargo build --offline -q -p belay --example "$example"
  check "$example" sh "../../Examples/$example/test.sh" "$CARGO_TARGET_DIR/debug/examples/$example"
done
check "a program of a user's finds the library" consumer ""
under_valgrind() { # PROGRAM CASE...
  program=$(sed -n "s/.*Running tests.$1.rs (\\(.*\\))\$/\\1/p" "$log.tests")
  shift
  valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite "$program" --test-threads=1 "$@"
}
# The edge between C and Rust: values, panics, handles, what is polled on other threads, memory of C
# that Rust describes or intercepts. Then threads that send all the time.
edge() {
  under_valgrind cases.main values:: panics:: streams:: subscriptions:: owners:: disposables:: io:: \
    exchange:: interception:: objects:: || return 1
  BELAY_SOAK=300000 under_valgrind soak threads_that_send
}
if command -v valgrind >/dev/null 2>&1; then
  check "the edge under valgrind" edge
else
  echo "skipped: there is no valgrind"
  pass # scripts/tally takes it off again
fi

if pkg-config --exists belay 2>/dev/null; then
  check "a program of a user's with the archive" consumer static
else
  echo "skipped: no belay.pc says what the archive needs"
  pass # scripts/tally takes it off again
fi
refused() { # TEXT VARIABLE=VALUE...
  text=$1
  shift
  ! env -u BELAY_LIB_DIR "$@" cargo build --offline -q -p belay-sys >"$log.refused" 2>&1 || return 1
  grep -q "$text" "$log.refused"
}
check "a library that is nowhere" refused "libbelay.so is not in /nowhere" BELAY_LIB_DIR=/nowhere
check "no pkg-config" refused "set BELAY_LIB_DIR" PKG_CONFIG=/nowhere/pkg-config

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
