# tally.sh, to be sourced: counts what passed and what failed, and says so as scripts/tally reads it.
passed=0 failed=0
pass() { passed=$((passed + 1)); }
miss() { # WHAT HAS FAILED
  echo "FAILED $*"
  failed=$((failed + 1))
}
try() { # WHAT COMMAND...
  tried=$1
  shift
  if "$@"; then pass; else miss "$tried"; fi
}
# The last command of a script: its exit code says whether nothing failed and something passed.
tell() { # [LEAST]
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "$passed" -ge "${1:-1}" ]
}
