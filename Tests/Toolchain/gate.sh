#!/bin/sh
# gate.sh: a compiler that is not in the list of Toolchain.swift is refused by CMake and by Swift, with a
# message that names the switch, and taken with the switch. For the test the list is another one.
#   SOURCE, CMAKE, SWIFTC, WORK; BELAY_UNTRIED_SWIFT: this compiler may be missing in the list
set -eu
is_untried=${BELAY_UNTRIED_SWIFT:-}
unset BELAY_UNTRIED_SWIFT
copy=$WORK/gate
rm -rf "$copy"
mkdir -p "$copy/cmake" "$copy/Sources/Belay/Runtime"
cp "$SOURCE/cmake/SwiftToolchain.cmake" "$copy/cmake"
list=Sources/Belay/Runtime/Toolchain.swift
sed -E 's/(compiler\(>=|compiler\(<)[0-9]+/\199/g' "$SOURCE/$list" >"$copy/$list"
if cmp -s "$SOURCE/$list" "$copy/$list"; then
  echo "FAILED: there is no list"
  exit 1
fi

configure() { # FOLDER
  "$CMAKE" "-DBELAY_SWIFTC=$SWIFTC" -P "$1/cmake/SwiftToolchain.cmake" >"$copy/log" 2>&1
}
configure_untried() { # FOLDER
  BELAY_UNTRIED_SWIFT=1 "$CMAKE" "-DBELAY_SWIFTC=$SWIFTC" -P "$1/cmake/SwiftToolchain.cmake" >"$copy/log" 2>&1
}
compile() { "$SWIFTC" -typecheck -parse-as-library "$@" >"$copy/log" 2>&1; }
says_how() { tr -s ' \n' ' ' <"$copy/log" | grep -q "has not been tried with .*$1=1"; }

passed=0 failed=0
check() { # WHAT COMMAND...
  what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    echo "FAILED $what:"
    cat "$copy/log"
    failed=$((failed + 1))
  fi
}
refuses() { if "$@"; then return 1; else says_how BELAY_UNTRIED_SWIFT; fi; }

if [ "$is_untried" != 1 ]; then
  check "CMake takes this compiler" configure "$SOURCE"
  check "Swift takes this compiler" compile "$SOURCE/$list"
fi
check "CMake refuses another" refuses configure "$copy"
check "CMake takes it with the switch" configure_untried "$copy"
check "Swift refuses another" refuses compile "$copy/$list"
check "Swift takes it with the switch" compile -D BELAY_UNTRIED_SWIFT "$copy/$list"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
