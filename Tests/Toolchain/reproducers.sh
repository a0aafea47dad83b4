#!/bin/sh
# reproducers.sh FLAG...: faults of the compiler (docs/architecture.md, last section), a folder each,
# compiled with the FLAGs of the build. The head of its Main.swift says how to see that the fault is
# still there:
#   // applies: compiler REGEX    the compiler says so
#   // applies: ir REGEX          a line of the LLVM IR matches
#   // applies: program REGEX     the program prints so; "killed" is by a signal
#   // flags: FLAG...             further flags that it takes
#   // workaround: FLAG...        the flags that avoid it, where they are not -D WORKAROUND
# Each must still apply, and its workaround must avoid it. A fault that is gone fails: the workaround
# in the sources and the line in docs/architecture.md can go, too.
#   SWIFTC, CC: the compilers; WORK: where to build
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tally.sh"
work=$WORK/reproducers
mkdir -p "$work"

# Prints applies, gone, or what happens instead.
outcome() { # NAME FLAG...
  name=$1 source=$here/$1 out=$work/$1
  shift
  rm -rf "$out"
  mkdir -p "$out"
  rule=$(sed -n 's,^// applies: ,,p' "$source/Main.swift")
  kind=${rule%% *} pattern=${rule#* }
  if ! {
    "$SWIFTC" "$@" -module-name Core "$source/Core.swift" \
      -emit-module -emit-module-path "$out/Core.swiftmodule" &&
      "$SWIFTC" "$@" -module-name Main "$source/Main.swift" -I "$out" -emit-ir -o "$out/Main.ll" &&
      "$SWIFTC" "$@" -module-name Main "$source/Main.swift" -I "$out" -c -o "$out/Main.o" &&
      "$CC" -O1 "$here/support.c" "$out/Main.o" -o "$out/program"
  } >"$out/log" 2>&1; then is_built=0; else is_built=1; fi
  if [ "$kind" = compiler ] && grep -Eq "$pattern" "$out/log"; then echo applies; return; fi
  if [ "$is_built" = 0 ]; then echo "does not compile: $(grep -m 1 error "$out/log")"; return; fi
  if [ "$kind" = ir ] && grep -Eq "$pattern" "$out/Main.ll"; then echo applies; return; fi
  answer=$(timeout 20 "$out/program" 2>&1)
  status=$?
  [ "$status" -le 128 ] || answer=killed
  if [ "$kind" = program ] && echo "$answer" | grep -Eq "$pattern"; then echo applies; return; fi
  if [ "$answer" = right ]; then echo gone; else echo "another outcome: $answer ($status)"; fi
}

for folder in "$here"/*/; do
  name=$(basename "$folder")
  flags=$(sed -n 's,^// flags: ,,p' "$folder/Main.swift")
  workaround=$(sed -n 's,^// workaround: ,,p' "$folder/Main.swift")
  # A flag a word.
  # shellcheck disable=SC2086
  as_it_is=$(outcome "$name" "$@" $flags 2>/dev/null)
  # shellcheck disable=SC2086
  avoided=$(outcome "$name" "$@" $flags ${workaround:--D WORKAROUND} 2>/dev/null)
  case $as_it_is,$avoided in
  applies,gone) pass ;;
  gone,*)
    miss "$name: gone with this compiler; so the workaround and its line in" \
      "docs/architecture.md can go, and this reproducer"
    ;;
  *) miss "$name: $as_it_is; with its workaround: $avoided" ;;
  esac
done
tell
