#!/bin/sh
# extract.sh PAGE LANGUAGE DIRECTORY: writes each block of LANGUAGE in PAGE to DIRECTORY, numbered. The
# programs before a block marked "text" print that block: it becomes N.expected for each of them.
set -eu
page=$1 language=$2 directory=$3
rm -rf "$directory"
mkdir -p "$directory"
awk -v language="$language" -v directory="$directory" '
  /^```/ {
    if (inside) {
      inside = 0
      if (kind == "text") waiting = ""
      next
    }
    inside = 1
    kind = substr($0, 4)
    if (kind == language) waiting = waiting " " ++count
    next
  }
  inside && kind == language { print >(directory "/" count "." language) }
  inside && kind == "text" {
    n = split(waiting, numbers, " ")
    for (i = 1; i <= n; i++) print >(directory "/" numbers[i] ".expected")
  }' "$page"
