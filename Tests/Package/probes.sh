#!/bin/sh
# The library's notes name the probes of docs/tracing.md, as readelf -n reads them, and at the place of each stands
# one nop, as objdump disassembles it.
set -eu
. "$SOURCE/Tests/tally.sh"
wanted=$(sed -n 's/^| `\([a-z]*\)` | .*/\1/p' "$SOURCE/docs/tracing.md" | sort)
notes=$("$READELF" -n "$LIBRARY" | awk '
  /Provider:/ { provider = $2 }
  /Name:/ { name = $2 }
  /Location:/ { sub(/,$/, "", $2); print provider, name, $2 }' | sort)
echo "$notes"

try "nine probes" [ "$(echo "$wanted" | wc -l)" -eq 9 ]
try "the notes are not those of docs/tracing.md" [ "$(echo "$notes" | awk '{ print $2 }')" = "$wanted" ]
try "two probes at one place" [ -z "$(echo "$notes" | awk '{ print $3 }' | sort | uniq -d)" ]
echo "$notes" >"$WORK/probes.notes"
while read -r provider name place; do
  try "the provider of $name is $provider" [ "$provider" = belay ]
  instruction=$("$OBJDUMP" -d --no-show-raw-insn --start-address="$place" --stop-address="$((place + 4))" "$LIBRARY" |
    awk '/^ *[0-9a-f]+:/ { $1 = ""; print $0; exit }' | tr -d '[:blank:]')
  try "at $name, $place, stands not a nop but: $instruction" [ "$instruction" = nop ]
done <"$WORK/probes.notes"
tell 21
