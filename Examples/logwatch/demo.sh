#!/bin/sh
# demo.sh PROGRAM LOGFILE [SECONDS]: logwatch on a copy of a log that grows, is truncated and is
# rotated meanwhile. Fails unless every line was counted, once.
set -eu

program=$1
log=$2
seconds=${3:-6}

dir=$(mktemp -d)
pid=
cleanup() {
  [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
  rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' INT TERM

step() { printf '%s\n' "-- $*"; }
count() { awk 'END { print NR }' "$@"; }

# A fresh container has no history of packages, but it has packages.
make_log() {
  if command -v dpkg-query >/dev/null 2>&1; then
    # dpkg-query fills these in, not the shell.
    # shellcheck disable=SC2016
    dpkg-query -W -f 'status installed ${Package}:${Architecture} ${Version}\n'
  else
    ls -l /usr/bin | awk 'NF > 8 { print "status present " $9 " " $5 }'
  fi | awk -v at="$(date '+%Y-%m-%d %H:%M:%S')" '{ print at " " $0 }'
}

# The whole lines of a log, with the last one ended, as many as a demonstration needs.
if [ -s "$log" ]; then
  tail -n 20000 "$log" >"$dir/source"
  [ -z "$(tail -c 1 "$dir/source")" ] || echo >>"$dir/source"
else
  step "$log is missing or empty: making one from the list of packages"
  make_log >"$dir/source"
fi

watched=$dir/watched.log
output=$dir/output
cp "$dir/source" "$watched"
expected=$(count "$dir/source")

: >"$output"
step "logwatch --for $seconds on a copy of $log: $expected lines"
"$program" --for "$seconds" "$watched" >"$output" 2>&1 &
pid=$!

# The summary's second number is the total so far.
total() { sed -n 's/^[0-9:]*  *+[0-9]*  *total \([0-9]*\) .*/\1/p' "$output" | tail -n 1; }

# A reader notices a truncation only if it has read what was there before, so each step waits until
# the lines of the one before it have been counted.
await() {
  while [ "$(total)" != "$expected" ]; do
    if ! kill -0 "$pid" 2>/dev/null; then
      step "logwatch ended with $(total) lines counted where $expected were written"
      cat "$output"
      exit 1
    fi
    sleep 0.1
  done
}
await

tail -n 20 "$dir/source" >"$dir/appended"
cat "$dir/appended" >>"$watched"
expected=$((expected + $(count "$dir/appended")))
step "appended $(count "$dir/appended") lines"
await

# The new file has fewer lines, for a file that is as long as before does not look truncated.
keep=$((($(count "$dir/source") + 1) / 2))
[ "$keep" -le 10 ] || keep=10
head -n "$keep" "$dir/source" >"$watched"
expected=$((expected + keep))
step "truncated, and wrote $keep lines"
await

mv "$watched" "$watched.1"
tail -n 30 "$dir/source" >"$dir/successor"
cp "$dir/successor" "$watched"
expected=$((expected + $(count "$dir/successor")))
step "rotated, and wrote $(count "$dir/successor") lines"
await

# With more time than a demonstration needs, it does not wait for the end of it.
[ "$seconds" -le 10 ] || kill -TERM "$pid"
code=0
wait "$pid" || code=$?
pid=

step "its output:"
cat "$output"

fail() {
  step "FAILED: $*"
  exit 1
}
[ "$code" -eq 0 ] || fail "exit code $code"
grep -q "^$expected lines, $expected counted" "$output" || fail "$expected lines were written"
for line in 'session deallocating' 'session deinit after .* lines' 'session deallocated' \
  'loop closed with 0 still open' 'nothing left alive'; do
  grep -q "^$line\$" "$output" || fail "it did not say: $line"
done
step "all $expected lines were counted, each once"
