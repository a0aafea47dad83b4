#!/bin/sh
# test.sh PROGRAM: options, then clients of all kinds, by Python's sockets and by nc.
set -u

program=$1
. "$(dirname "$0")/../program.sh"
command -v python3 >/dev/null 2>&1 || {
  echo 'relay: left out, it needs python3'
  exit 77
}

expect 0 --help
says out '--idle SECONDS'
for bad in --nonsense --port '--port 65536' '--port 1.5' '--port x' '--idle -1' '--idle nan' \
  '--rate -1' '--grace 0' '--queue 0' 'word'; do
  # Several words on purpose.
  # shellcheck disable=SC2086
  expect 2 $bad
  says err usage
done
expect 1 --host not.an.address
says out 'nothing left alive'

if ! command -v nc >/dev/null 2>&1; then
  echo 'relay: nc is left out; scripts/setup test installs it'
  [ "${BELAY_REQUIRE_BINDINGS:-}" != 1 ] || fail 'relay: there is no nc'
else
  what='relay, nc'
  : >"$dir/err"
  "$program" --port 0 >"$dir/log" 2>"$dir/err" </dev/null &
  pid=$!
  tries=0
  until port=$(sed -n 's/.*listening at .*:\([0-9]*\)$/\1/p' "$dir/log") && [ -n "$port" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || break
    sleep 0.1
  done
  printf '/join rope\nby nc\n/quit\n' | timeout 30 nc 127.0.0.1 "$port" >"$dir/out"
  says out '^guest1: by nc$'
  says out '^\* goodbye: as you like$'
  kill -TERM "$pid"
  wait "$pid" || fail "relay: exit code $?"
fi

what='relay, clients'
: >"$dir/err"
python3 "$(dirname "$0")/chat.py" "$program" >"$dir/out" 2>"$dir/err" || fail "$what"

end
