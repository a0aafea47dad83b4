#!/bin/sh
# light.sh CXX SOURCE: what a small program costs to compile stays small: the lines of the binding's headers;
# and with gcc 12, whose own headers are known, all lines, the absence of large headers that are seldom needed,
# the memory for all that is parsed and made of templates, and the largest memory of the whole compilation. It
# measures no time.
set -eu
cxx=$1
source=$2
. "$source/Tests/tally.sh"
compile() {
  "$cxx" "$@" -I"$source/bindings/cpp/include" -I"$source/include" "$source/bindings/cpp/tests/light/light.cpp"
}
lacks() { # HEADER FILE
  ! grep -q "^# .*/$1\"" "$2"
}
peak() { # COMMAND...
  python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)' "$@"
}
check() { # STANDARD OWN-LINES LINES MEGABYTES PEAK
  compile -std=c++$1 -E >light.$1
  own=$(awk '/^# / { own = $3 ~ /\/belay\/.*hpp"/; next } own && NF { n++ } END { print n + 0 }' light.$1)
  try "C++$1: $own lines of Belay's headers are more than $2 (at the end of light.sh), or none" [ "$own" -le $2 -a "$own" -gt 0 ]
  case $("$cxx" --version | head -n 1)-$("$cxx" -dumpversion) in
  *clang*) ;;
  *-12*)
    lines=$(grep -vcE '^(#|[[:space:]]*$)' light.$1)
    try "C++$1: all $lines lines are more than $3" [ "$lines" -le $3 ]
    for header in algorithm functional iostream map memory mutex sstream thread unordered_map; do
      try "C++$1: <$header> is included" lacks $header light.$1
    done
    total=$(compile -std=c++$1 -ftime-report -fsyntax-only 2>&1 |
      sed -n 's/^ TOTAL .* \([0-9]*\)M.*/\1/p')
    try "C++$1: ${total:-no} MB are more than $4" [ "${total:-$4}" -le $4 ]
    resident=$(peak "$cxx" -std=c++$1 -c -o light.o -I"$source/bindings/cpp/include" -I"$source/include" \
      "$source/bindings/cpp/tests/light/light.cpp")
    try "C++$1: $resident MB resident are more than $5" [ "$resident" -le $5 ]
    rm light.o
    ;;
  esac
  rm light.$1
}
check 17 4000 30000 74 105
check 20 4100 36000 88 120
tell 2
