#!/bin/sh
# test.sh PROGRAM: options, then commands of all kinds.
set -u

program=$1
. "$(dirname "$0")/../program.sh"
command -v python3 >/dev/null 2>&1 || {
  echo 'runall: left out, it needs python3'
  exit 77
}

expect 0 --help
says out '--grace SECONDS'
for bad in '' --nonsense '--wait -1 x' '--wait nan x' '--grace 0 x' '--attempts 1.5 x' 'a b'; do
  # Several words on purpose.
  # shellcheck disable=SC2086
  expect 2 $bad
  says err usage
done
expect 1 "$dir/missing"
says err 'No such file'
: >"$dir/empty"
expect 1 "$dir/empty"
says err 'no command'
echo 'a: echo one' >"$dir/one"
expect_full "$dir/one"

what='runall, commands'
python3 "$(dirname "$0")/supervise.py" "$program" >"$dir/out" 2>"$dir/err" || fail "$what"

end
