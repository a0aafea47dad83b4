#!/bin/sh
# order.sh [--check] BUILD_DIR: writes cmake/order.txt, the functions that programs usually run, as callgrind sees them
# in the relay under load and in the rows. The linker puts them beside each other, so that a process has fewer pages
# of the library's code in memory. A name that is missing there, or is no more, does no harm but this: each page that a
# process runs elsewhere brings 64 KiB into its memory. --check writes nothing, and fails where the relay runs more than
# four such pages. Exits with 77 where callgrind is missing, or with 1 if BELAY_REQUIRE_BENCHMARKS is 1.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
check=
if [ "$1" = --check ]; then
  check=1
  shift
fi
if ! command -v valgrind >/dev/null; then
  echo "skipped: no valgrind"
  [ "${BELAY_REQUIRE_BENCHMARKS:-}" != 1 ] || exit 1
  exit 77
fi
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
[ -n "$check" ] || $watch.rows "$build/Benchmarks/bench" --count >/dev/null

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

if [ -n "$check" ]; then
  {
    nm "$build/libbelay.so" | awk '$2 ~ /^[tT]$/ { print $1, 0, $3 }'
    addresses_in relay
  } | sort | awk '
    NR == FNR { is_in_front[$0] = 1; next }
    $2 == 0 {
      if ($1 != place) stray = ""
      place = $1
      stray = stray == "-" || $3 in is_in_front || $3 ~ /^(OUTLINED_|objectdestroy)/ ? "-" : $3
      next
    }
    place && stray != "-" && !(place in strays) {
      strays[place] = stray
      page = substr(place, 1, length(place) - 3)
      if (!(page in pages)) { pages[page] = 1; count++ }
    }
    END {
      for (place in strays) print place, strays[place]
      print count + 0 " pages are run that cmake/order.txt does not put in front"
      if (count > 4) print "Benchmarks/order.sh BUILD_DIR writes it anew"
      exit count > 4
    }' "$root/cmake/order.txt" -
  exit
fi

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
