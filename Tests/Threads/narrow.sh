#!/bin/sh
# narrow.sh PROGRAM SEED [FAULT [TIMES]]: leaves out one feature after the other as long as the seed
# still fails (with FAULT, "CRASH" say) in one of TIMES plays, and prints what is left to look at.
set -eu
program=$1 seed=$2 fault=${3:-} times=${4:-200}
without=

fails() { # FEATURES
  "$program" --seed "$seed" --times "$times" --hang 10 ${1:+--without "$1"} 2>/dev/null |
    tail -n 1 | grep -v ', 0 failed' | grep -q "$fault"
}

fails "" || {
  echo "seed $seed does not fail in $times plays"
  exit 1
}
for feature in $("$program" --list); do
  if fails "${without:+$without,}$feature"; then without=${without:+$without,}$feature; fi
done
echo "still fails: --seed $seed --times $times --without $without"
echo "with:" $("$program" --list | grep -vxF "$(echo "$without" | tr , '\n')" || true)
"$program" --seed "$seed" --times "$times" --hang 10 --without "$without" --verbose 2>/dev/null |
  sort | uniq -c | sort -rn | head -n 20
