# program.sh, to be sourced by an example's test.sh with $program: runs the program, and looks at what
# it says in $dir/out and $dir/err.
name=$(basename "$(cd "$(dirname "$0")" && pwd)")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
failures=0
what=$name

fail() {
  echo "FAILED: $*"
  sed 's/^/  | /' "$dir/out" "$dir/err"
  failures=$((failures + 1))
}

# expect CODE ARGUMENT...: runs it, keeps what it says in out and err.
expect() {
  wanted=$1
  shift
  what="$name $*"
  code=0
  timeout 100 "$program" "$@" >"$dir/out" 2>"$dir/err" </dev/null || code=$?
  [ "$code" -eq "$wanted" ] || fail "$what: exit code $code, not $wanted"
}
# The same without room for what it prints, which is a failure.
expect_full() {
  what="$name $* >/dev/full"
  [ -w /dev/full ] || return 0
  code=0
  timeout 100 "$program" "$@" >/dev/full 2>"$dir/err" </dev/null || code=$?
  : >"$dir/out"
  [ "$code" -eq 1 ] || fail "$what: exit code $code, not 1"
  says err 'could not be written'
}
says() { grep -q -e "$2" "$dir/$1" || fail "$what: nothing like \"$2\" in $1"; }
is_silent() { [ ! -s "$dir/err" ] || fail "$what: complaints"; }

# The last command of a test.
end() {
  [ "$failures" -eq 0 ] && echo "$name: all is well"
  exit "$((failures != 0))"
}
