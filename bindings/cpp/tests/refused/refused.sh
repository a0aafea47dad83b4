#!/bin/sh
# refused.sh CXX SOURCE: in one run for each standard, the compiler refuses each marked line of refused.cpp by
# one error, with the text that is marked, and says no other error.
set -eu
cxx=$1
source=$2
. "$source/Tests/tally.sh"
file=$source/bindings/cpp/tests/refused/refused.cpp
# gcc has no limit of its own.
all=
case $("$cxx" --version) in *clang*) all=-ferror-limit=0 ;; esac
for standard in 17 20; do
  told=$("$cxx" $all -std=c++$standard -fsyntax-only -I"$source/bindings/cpp/include" -I"$source/include" \
    "$file" 2>&1 >/dev/null) || true
  errors=$(printf '%s\n' "$told" | grep 'error: ' || true)
  marked=$(grep -n '// refused: ' "$file")
  while IFS= read -r line; do
    # Where a template refuses, the compiler names the line in a note.
    try "C++$standard, line ${line%%:*} is refused" \
      eval 'printf "%s\n" "$told" | grep -q "refused.cpp:${line%%:*}:"'
  done <<EOF
$marked
EOF
  texts=$(printf '%s\n' "$marked" | sed 's,.*// refused: ,,')
  while IFS= read -r text; do
    is=$(printf '%s\n' "$errors" | grep -cE "$text" || true)
    wanted=$(printf '%s\n' "$texts" | grep -cxF "$text")
    try "C++$standard, \"$text\" is said $is times, not $wanted" [ "$is" = "$wanted" ]
  done <<EOF
$(printf '%s\n' "$texts" | sort -u)
EOF
  is=$(printf '%s\n' "$errors" | wc -l)
  wanted=$(printf '%s\n' "$marked" | wc -l)
  try "C++$standard, $is errors for $wanted lines" [ "$is" = "$wanted" ]
done
tell 100
