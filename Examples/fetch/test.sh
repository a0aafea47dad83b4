#!/bin/sh
# test.sh PROGRAM: the story, then single pages of all kinds from its server, options, exit codes.
set -u

program=$1
. "$(dirname "$0")/../program.sh"
server=
cleanup() {
  [ -z "$server" ] || kill "$server" 2>/dev/null
  rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

prints() { printf '%b' "$1" | cmp -s - "$dir/out" || fail "$what: not what was expected"; }

expect 0
cmp -s "$(dirname "$0")/expected.txt" "$dir/out" || fail 'another story'
is_silent

expect 0 --help
says out '--attempts COUNT'
for bad in --nonsense --timeout '--timeout 0' '--timeout nan' '--timeout 1x' '--attempts 0' \
  '--attempts -1' '--attempts 1x' '--serve x' 'http://a http://b'; do
  # Several words on purpose.
  # shellcheck disable=SC2086
  expect 2 $bad
  says err usage
done

long=$(printf '%3000s' '' | tr ' ' a)
for bad in '' nonsense https://example.org/ ftp://example.org/ http:// http:///path http://:80/ \
  http://user@host/ http://host:0/ http://host:65536/ http://host:8x/ http://host:-1/ \
  http://[::1/ http://[]/ http://[::1]80/ "http://host/a b" "http://host/$(printf 'a\r\nb: c')" \
  "http://host/$long" "http://$long/"; do
  expect 1 "$bad"
  says err URL
done

: >"$dir/served"
"$program" --serve >"$dir/served" 2>&1 </dev/null &
server=$!
tries=0
until port=$(sed -n 's/^port \([0-9]*\)$/\1/p' "$dir/served") && [ -n "$port" ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || break
  sleep 0.1
done
base=http://127.0.0.1:$port
text='belay is a rope made fast, and a thing called off\n'

for page in quick slow 'quick#fragment'; do
  expect 0 "$base/$page"
  prints "$text"
  is_silent
done
expect 1 "$base/quick?query" # the server looks at all of it
expect 0 --include "$base/drip"
prints '200 \nX-Empty: \ntransfer-encoding: Chunked\n\nin many steps\n'
expect 0 "HTTP://localhost:$port/quick"
prints "$text"
expect 0 "$base/close"
prints 'without a length\n'
expect 0 "$base/empty"
prints ''
expect 0 --include "$base/quick"
prints "200 OK\nConnection: close\nContent-Type: text/plain\nContent-Length: 50\n\n$text"
expect 1 "$base/"
prints 'no such thing\n'
says err '404 Not Found'

expect 1 "$base/cut"
prints ''
says err 'before the answer was complete (EOF)'
expect 1 "$base/noise"
says err 'does not begin like one of HTTP/1.1 (EPROTO)'
expect 1 --timeout 0.2 "$base/held"
says err "127.0.0.1:$port: .*(ETIMEDOUT)"
expect 0 --timeout 1 "$base/trickle" # its head takes two seconds
prints 'at last\n'
expect_full "$base/quick"

expect 1 "$base/flaky"
says err EOF
expect 0 --attempts 2 "$base/flaky"
prints 'at last\n'
is_silent

expect 1 "http://$(printf '%70s' '' | tr ' ' a).example/"
says err '^fetch: a*.example: '

kill -TERM "$server"
code=0
wait "$server" || code=$?
server=
cp "$dir/served" "$dir/out"
what='the server'
[ "$code" -eq 0 ] || fail "the server: exit code $code"
says out '^1[0-9] requests, 1 at once, 1[0-9] finished, 1 closed early$'

expect 1 --attempts 2 "$base/quick"
says err "127.0.0.1:$port: .*(ECONNREFUSED)"

end
