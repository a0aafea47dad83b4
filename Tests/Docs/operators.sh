#!/bin/sh
# docs/operators.tsv has the operators of the headers and no others. Each has a comment and a page, and
# the pages are what scripts/operator-pages makes. A row with a function in C has a public name in
# Swift, which exists. A row without one has one of a few reasons.
set -eu
export LC_ALL=C
mkdir -p "$WORK"
status=0
fail() { echo "$1"; status=1; }

cut -f 2 "$SOURCE/docs/operators.tsv" | tail -n +2 | grep '^belay_' | sort -u > "$WORK/listed"
"$SOURCE/scripts/api" names functions | sort > "$WORK/declared"
"$SOURCE/scripts/api" names families > "$WORK/families"
grep '^belay_op_' "$WORK/declared" | grep -v -x -e belay_op_release -e belay_op_with_queue > "$WORK/operators"
for name in $(comm -23 "$WORK/operators" "$WORK/listed"); do
  fail "docs/operators.tsv has no line of $name, which $(cd "$SOURCE" && grep -rl "[ *]$name(" include/belay) declares: scripts/api check shows one"
done
for name in $(comm -23 "$WORK/listed" "$WORK/declared"); do fail "in docs/operators.tsv, not in the headers: $name"; done

# The last part of each name: map of "Belay Signal.map(_:): method".
sed -E 's/: [a-z. ]+$//; s/\(.*//; s/.*[ .]//' "$SOURCE/bindings/swift/names.txt" | sort -u > "$WORK/swift.names"
awk -F '\t' -v swift="$WORK/swift.names" -v families="$WORK/families" '
  function complain(text) { print "docs/operators.tsv, " $1 ": " text; failures++ }
  BEGIN {
    while ((getline name < swift) > 0) is_public[name] = 1
    wants_swift["Swift\047s concurrency"] = 1
    while ((getline name < families) > 0) is_family[name] = 1
    split("Apple\047s UI,type-level only,blocking variant kept as wait,property issue", list, ",")
    for (i in list) is_reason[list[i]] = 1
  }
  NR == 1 { next }
  $1 == "" || seen[$1]++ { complain("a concept has one row, and a name") }
  NF > 8 { complain("more than eight columns") }
  $2 in is_reason { if ($3 != "") complain("a reason, and a name in Swift"); next }
  $2 !~ /^belay_/ && !($2 in wants_swift) { complain("neither a function nor a reason: " $2) }
  !($3 in is_public) { complain("not in bindings/swift/names.txt, which scripts/swift-names writes (here without labels): " $3) }
  $2 ~ /^belay_/ && $2 != "belay_signal_subscribe" && !($5 in is_family) { complain("no family: " $5) }
  END { exit failures > 0 }' "$SOURCE/docs/operators.tsv" || status=1

# The names that a row has in C, in Swift and elsewhere, without what brackets say of them: a name in a
# remark or in a concept is no line of its own. They are compared without case and underscores, because
# languages write them differently.
awk -F '\t' 'NR > 1 {
    own = $2
    sub(/^belay_(op_|signal_)?/, "", own)
    names = own "," $3 "," $4
    while (gsub(/\([^()]*\)/, "", names)) {}
    count = split(tolower(names), name, ",")
    for (i = 1; i <= count; i++) {
      gsub(/[_: ]/, "", name[i])
      print name[i]
    }
  }' "$SOURCE/docs/operators.tsv" | sort -u > "$WORK/named"
for name in $(grep -v '^#' "$SOURCE/Tests/Docs/peers_operators.txt"); do
  grep -qx "$(echo "$name" | tr 'A-Z' 'a-z' | tr -d _)" "$WORK/named" ||
    fail "docs/operators.tsv has $name in no column of names"
done

"$SOURCE/scripts/operator-pages" "$WORK/operators.d" || fail "a page could not be made"
diff -r "$SOURCE/docs/operators" "$WORK/operators.d" > "$WORK/operators.diff" ||
  fail "docs/operators is not what scripts/operator-pages makes: run it"
exit $status
