#!/bin/sh
# test.sh PROGRAM: options, exit codes, errors, Ctrl-C, the terminal.
set -u

program=$1
. "$(dirname "$0")/../program.sh"

ended_well() {
  tail -n 5 "$dir/out" | sed 's/after .* lines/after N lines/' >"$dir/end"
  printf '%s\n' 'session deallocating' 'session deinit after N lines' 'session deallocated' \
    'loop closed with 0 still open' 'nothing left alive' | cmp -s - "$dir/end" ||
    fail "$1 did not end well"
}

expect 0 --help
says out '--match WORD'
for bad in --for --nonsense '--for 0' '--for -1' '--for nan' '--for inf' '--for 1x' '--match' ''; do
  # Several words on purpose.
  # shellcheck disable=SC2086
  expect 2 $bad
  says err usage
done
expect 2 --match '' "$dir/log"
expect 2 "$dir/log" "$dir/other"
says err 'one file only'

expect 1 "$dir/missing"
says err 'ENOENT'
says err "$dir/missing"
ended_well 'a missing file'
expect 1 "$dir"
says err 'EISDIR'
ended_well 'a directory'

cat >"$dir/log" <<'LINES'
2026-11-20 18:35:58 status installed foo:amd64 1.2
2026-11-20 18:35:59 startup archives unpack
2026-11-20T18:36:00.5Z [WARN] disk is nearly full
level=error msg="no route"
LINES
printf '\033[31m and bytes \377 that are no UTF-8\nunfinished' >>"$dir/log"
expect 0 --for 0.3 "$dir/log"
says out '^5 lines, 5 counted, stopped: time is up'
for keyword in 'installed 1' 'startup 1' 'warn 1' 'error 1' 'text 1'; do says out "$keyword"; done
ended_well 'a log of all kinds'

# What cannot be printed safely, among letters that are not ASCII.
printf 'a\033b\177c\000d \302\233e \233f \340\202\233g \355\240\200h \377i ' >"$dir/unsafe"
printf '\303\244\342\202\254\360\237\230\200\n' >>"$dir/unsafe"
expect 0 --for 0.3 "$dir/unsafe"
says out "last: a?b?c?d ?e ?f ???g ???h ?i $(printf '\303\244\342\202\254\360\237\230\200')\$"

# Many lines in a second are more than a window takes. The peak is no less than the mean, which begins
# before the first line and ends after the last one.
seq 500000 >"$dir/many"
began=$(date +%s)
expect 0 --for 3 "$dir/many"
lines=$(sed -n 's/^\([0-9]*\) lines, .*/\1/p' "$dir/out")
least=$((lines / (2 * ($(date +%s) - began + 1))))
peak=$(sed -n 's|.* peak \([0-9]*\)/s.*|\1|p' "$dir/out" | tail -n 1)
[ "${peak:-0}" -ge "$least" ] || fail "$what: a peak of $peak/s where $lines lines were counted"
expect_full --for 0.3 "$dir/log"

expect 0 --for 0.3 --match FULL "$dir/log"
says out '^5 lines, 1 counted'
says out '  last: \[WARN\] disk is nearly full'

: >"$dir/empty"
expect 0 --for 0.3 "$dir/empty"
says out '^0 lines, 0 counted'
ended_well 'an empty file'

# Ctrl-C comes once it has shown that it is at work.
for signal in INT TERM; do
  what="logwatch, SIG$signal"
  : >"$dir/out"
  "$program" "$dir/log" >"$dir/out" 2>"$dir/err" </dev/null &
  pid=$!
  tries=0
  until grep -q total "$dir/out" || [ "$tries" -ge 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -s "$signal" "$pid"
  wait "$pid" || fail "SIG$signal: exit code $?"
  says out 'stopped: \(Ctrl-C\|SIGTERM\)'
  ended_well "SIG$signal"
done

# On a terminal the line is rewritten. With --plain it is not.
what='logwatch on a terminal'
if command -v script >/dev/null 2>&1; then
  : >"$dir/err"
  script -qec "'$program' --for 1.5 '$dir/log'" "$dir/typescript" >"$dir/out" </dev/null
  says out "$(printf '\r[0-9:]*  +5 .*\033\\[K')"
  script -qec "'$program' --plain --for 1.5 '$dir/log'" "$dir/typescript" >"$dir/out" </dev/null
  if grep -q "$(printf '\033')" "$dir/out"; then fail '--plain is not plain'; fi
  # No character is cut in half at the end of a narrow terminal.
  awk 'BEGIN { for (i = 0; i < 40; i++) printf "\303\244"; print "" }' >"$dir/wide"
  for columns in 70 71; do
    script -qec "stty cols $columns; '$program' --for 1.5 '$dir/wide'" "$dir/typescript" \
      >"$dir/out" </dev/null
    says out "$(printf '\303\244\033\\[K')"
    iconv -f UTF-8 -t UTF-8 "$dir/out" >"$dir/err" 2>&1 || fail "$what: half of a character"
  done
fi

end
