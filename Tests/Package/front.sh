#!/bin/sh
# front.sh: what each process runs stands in front of what few run (BELAY_ORDER in CMakeLists.txt), because the system
# maps the pages around each one that is touched: linker's stubs, and what destroys what closures capture.
set -eu
"$READELF" -SW "$LIBRARY" | awk '
  { sub(/^ *\[ *[0-9]+\] */, "") }
  $1 == ".plt" || $1 == ".text" { printf "%s", $1 }
  END { print "" }' >"$WORK/sections"
cat "$WORK/sections"
[ "$(cat "$WORK/sections")" = .plt.text ]

# No name stands elsewhere, and CMakeLists.txt counts far enough.
"${NM:-nm}" -n "$LIBRARY" | awk '
  / OUTLINED_/ { next }
  / objectdestroy/ {
    number = $3
    gsub(/[^0-9]/, "", number)
    if (number + 0 > most) most = number + 0
    found++
    if (!is_inside) { parts++; is_inside = 1 }
    next
  }
  / [tT] / && is_inside { is_inside = 0 }
  END {
    print found + 0 " functions with numbers up to " most " stand in " parts + 0 " places"
    exit !(found > 0 && parts == 1 && most <= 1000)
  }'
