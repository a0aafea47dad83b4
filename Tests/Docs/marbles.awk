# Which kinds of cases the files of Tests/Marbles have, told from the cases themselves. Arguments: the
# names of the functions with a callback that can fail, operators.tsv, exempt.tsv, the files; prints what is missing, and what is excused without need.
function fail(text) { print text; failures++ }
function file_name(path) { sub(/.*\//, "", path); sub(/\.[^.]*$/, "", path); return path }
# A diagram with a character a frame: time that passes is one, and what was before a hot one's ^ is not there.
function plain(diagram) {
  gsub(/ [0-9.]+(ms|s|m) /, " - ", diagram)
  gsub(/ [0-9.]+(ms|s|m)$/, "-", diagram)
  gsub(/ /, "", diagram)
  sub(/^.*\^/, "", diagram)
  return diagram
}
function has(category) { found[operator, category] = 1 }

# ---- the operators with a callback that can fail ----
FILENAME ~ /\.calls$/ {
  calls[$1] = 1
  next
}

# ---- the cases that are excused ----
FILENAME ~ /operators\.tsv$/ {
  split($0, column, "\t")
  name = column[2]
  if (name !~ /^belay_/) next
  listed[name] = name
  family[name] = column[5]
  sub(/^belay_((op|signal|subject)_(create_)?)?/, "", listed[name])
  next
}
FILENAME ~ /exempt\.tsv$/ {
  if (/^#/ || !NF) next
  split($0, column, "\t")
  if (column[3] == "") fail("exempt.tsv: no reason in: " $0)
  excused[column[1], column[2]] = 1
  next
}

# ---- the cases ----
function end_of_case(   i, name, diagram, all_watched, place, at, first) {
  if (!count_of_lines) return
  count_of_lines = 0
  all_watched = 1
  for (i = 1; i <= words; i++) {
    name = word[i]
    if (!(name in source)) continue
    place++
    if (!(name in spans)) all_watched = 0
    if (index(source[name], "#") && (unsub !~ /!/ || index(source[name], "#") < index(unsub, "!")))
      has("error " place)
    if (index(source[name], "|")) has("end of " place)
    if (place > most[operator]) most[operator] = place
    if (place > 1) continue
    diagram = source[name]
    if (diagram ~ /^-*\|$/) has("empty")
    if (diagram ~ /^-+$/) has("never")
    if (diagram ~ /^\([A-Za-z0-9]/) has("synchronous")
    if (diagram ~ /\*/) has("interruption")
  }
  cases[operator]++
  if (expected ~ /[A-Za-z0-9]/) has("values")
  if (expected ~ /\|/) has("completion")
  if (failing) has("failing callback")
  if (inside ~ /[a-z][A-Za-z0-9|#]/) has("sends inside")
  if (inside ~ /!/) has("disposes inside")
  at = index(unsub, "!")
  if (at && !place) has("disposal")
  if (at && all_watched)
    for (name in spans) if (index(spans[name], "!") == at) has("disposal")
}
FNR == 1 {
  end_of_case()
  operator = file_name(FILENAME)
  if (FILENAME ~ /\/chains\//) is_chain[operator] = 1
}
/^==/ {
  end_of_case()
  delete source; delete spans; delete word
  words = 0; unsub = expected = inside = ""; failing = 0
  next
}
!NF { next }
{
  count_of_lines++
  rest = $0; sub(/^[^:]*:/, "", rest)
  head = $0; sub(/:.*/, "", head); sub(/ +$/, "", head)
}
/^(cold|hot|kept) / { source[substr(head, length(head))] = plain(rest) }
/^subs / { gsub(/[ ()]/, "", rest); spans[substr(head, length(head))] = rest }
/^expect2? *:/ { expected = expected plain(rest) }
/^unsub *:/ { gsub(/ /, "", rest); unsub = rest }
/^inside *:/ { inside = rest }
/^run / {
  for (i = 3; i <= NF; i++) if ($i ~ /^fail=/) failing = 1; else word[++words] = $i
}

function wanted(operator, category) {
  if ((operator, category) in excused) {
    used[operator, category] = 1
    if ((operator, category) in found) fail(operator ": excused from '" category "', but has it")
  } else if (!((operator, category) in found)) {
    fail(operator ": no case of: " category " (\"Marble tests\" in CONTRIBUTING.md; Tests/Marbles/exempt.tsv)")
  }
}
END {
  end_of_case()
  for (name in listed) {
    operator = listed[name]
    if ((operator, "marbles") in excused) {
      used[operator, "marbles"] = 1
      if (operator in cases) fail(operator ": excused from marble tests, but has some")
      continue
    }
    if (!(operator in cases)) {
      fail(name ": no marble tests: Tests/Marbles/" family[name] "/" operator ".txt is missing")
      continue
    }
    if (checked[operator]++) continue
    wanted(operator, "values")
    wanted(operator, "completion")
    wanted(operator, "disposal")
    if (name in calls) wanted(operator, "failing callback")
    if (name ~ /^belay_op_/ && !most[operator]) fail(operator ": no case has a source")
    if (!most[operator]) continue
    wanted(operator, "empty")
    wanted(operator, "never")
    wanted(operator, "synchronous")
    wanted(operator, "interruption")
    wanted(operator, "sends inside")
    wanted(operator, "disposes inside")
    for (place = 1; place <= most[operator]; place++) wanted(operator, "error " place)
  }
  # A chain: what the other library's operator promises, and not how its parts are made.
  for (operator in is_chain) {
    wanted(operator, "values")
    wanted(operator, "completion")
    wanted(operator, "disposal")
    if (most[operator]) {
      wanted(operator, "empty")
      wanted(operator, "never")
    }
    for (place = 1; place <= most[operator]; place++) {
      wanted(operator, "error " place)
      if (place > 1) wanted(operator, "end of " place)
    }
  }
  for (excuse in excused) if (!(excuse in used)) {
    split(excuse, part, SUBSEP)
    fail("exempt.tsv: nothing is excused by " part[1] ", " part[2])
  }
  exit failures > 0
}
