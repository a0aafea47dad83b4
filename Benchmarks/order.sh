#!/bin/sh
# order.sh BUILD_DIR: writes cmake/order.txt, the functions that programs usually run, as callgrind sees them in
# the relay under load and in the rows. The linker puts them beside each other, so that a process has fewer pages
# of the library's code in memory. A name that is missing there, or is no more, does no harm. Run it now and then.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/order.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

watch="valgrind --quiet --tool=callgrind --dump-instr=yes --compress-pos=no --callgrind-out-file=$work/out"
printf '#!/bin/sh\nexec %s.relay "%s" "$@"\n' "$watch" "$build/Benchmarks/bench_relay" >"$work/relay"
chmod +x "$work/relay"
ulimit -n "$(ulimit -Hn)"
"$build/Benchmarks/bench_relay_load" --rounds 1 --seconds 0.1 "$work/relay" \
  "$build/Benchmarks/bench_relay_libuv" >/dev/null
$watch.rows "$build/Benchmarks/bench" --count >/dev/null

# The addresses in the library, with as many digits as nm's. (Names are not enough: callgrind confuses some.)
addresses_in() {
  awk '
    /^c?ob=/ { # Its name stands where it comes first, which may be as the object of what is called.
      id = $1
      sub(/.*=/, "", id)
      if (NF > 1) is_ours[FILENAME, id] = /libbelay\.so/
      if (/^ob/) ours = is_ours[FILENAME, id]
    }
    ours && /^0x/ && !seen[$1]++ { print substr("0000000000000000", length($1) - 1) substr($1, 3), 1, name }
  ' name="$1" "$work/out.$1"*
}

# A function has a name for each of those that came out the same. First comes what both run, last what the
# rows alone do.
{
  nm "$build/libbelay.so" | awk '$2 ~ /^[tT]$/ { print $1, 0, $3 }'
  addresses_in relay
  addresses_in rows
} | sort | awk '
  $2 == 0 { if ($1 != place) { place = $1; places[++count] = place }; names[place] = names[place] name_of($3); next }
  place { is_run[place, $3] = 1 }
  # CMakeLists.txt names those that have another number in each build.
  function name_of(symbol) { return symbol ~ /^(OUTLINED_|objectdestroy)/ ? "" : symbol "\n" }
  function print_those(relay, rows, i) {
    for (i = 1; i <= count; i++) {
      place = places[i]
      if (is_run[place, "relay"] + 0 == relay && is_run[place, "rows"] + 0 == rows)
        printf "%s", names[place]
    }
  }
  END {
    print "# Benchmarks/order.sh has written this."
    print_those(1, 1)
    print_those(1, 0)
    print_those(0, 1)
  }' >"$work/order"
mv "$work/order" "$root/cmake/order.txt"
