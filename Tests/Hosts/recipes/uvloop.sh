#!/bin/sh
# uvloop.sh GUEST: asyncio_host.py on uvloop, which pip puts into an environment of its own, WORK/uvloop.
set -eu
venv=$WORK/uvloop
if [ ! -e "$venv/ready" ]; then
  if ! { python3 -m venv --clear "$venv" && "$venv/bin/pip" install -q uvloop; } >"$WORK/uvloop.log" 2>&1; then
    echo "skipped: pip cannot get uvloop"
    [ "${BELAY_REQUIRE_BINDINGS:-}" = 1 ] && exit 1
    exit 77
  fi
  touch "$venv/ready"
fi
exec "$venv/bin/python" "$(dirname "$0")/asyncio_host.py" "$1" uvloop
