# Draws the first case of a file of marble tests as SVG.
function escape(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); return text }
function label(mark) { return mark in meaning ? meaning[mark] : mark }
function circle(x, mark,   text) {
  text = label(mark)
  printf "<circle cx='%d' cy='%d' r='13' fill='#fff' stroke='#333'/>\n", x, y
  printf "<text x='%d' y='%d' font-size='%d' text-anchor='middle'>%s</text>\n", x, y + 4, (length(text) > 2 ? 8 : 12), escape(text)
}
function draw(name, text,   i, character, x, last, inside, group) {
  y += 44
  printf "<text x='8' y='%d'>%s</text>\n<line x1='70' y1='%d' x2='%d' y2='%d' stroke='#333'/>\n", y + 4, escape(name), y, width - 10, y
  x = 90; inside = 0
  for (i = 1; i <= length(text); i++) {
    character = substr(text, i, 1)
    if (character == " ") {
      if (match(substr(text, i), /^ [0-9.]+(ms|s|m)( |$)/)) {
        printf "<text x='%d' y='%d' font-size='9' fill='#777'>%s</text>\n", x, y - 8, substr(text, i + 1, RLENGTH - 1)
        i += RLENGTH - 1; x += 60
      }
      continue
    }
    if (character == "(") { inside = 1; group = x; continue }
    if (character == ")") { inside = 0; x = group + 30; continue }
    if (character == "|") printf "<line x1='%d' y1='%d' x2='%d' y2='%d' stroke='#333' stroke-width='2'/>\n", x, y - 15, x, y + 15
    else if (character == "#") printf "<path d='M%d %dl16 16m0 -16l-16 16' stroke='#b00' stroke-width='2'/>\n", x - 8, y - 8
    else if (character == "^" || character == "!") printf "<text x='%d' y='%d' text-anchor='middle'>%s</text>\n", x, y - 6, character
    else if (character != "-") circle(x, character)
    x += inside ? 24 : 30
  }
}
function define(text,   at, mark, depth, i, character, value) {
  # x=10 y=[1 2]
  for (i = 1; i <= length(text); i++) {
    character = substr(text, i, 1)
    if (character == " ") continue
    mark = character; i += 2; value = ""; depth = 0
    for (; i <= length(text); i++) {
      character = substr(text, i, 1)
      if (character == "[") depth++
      if (character == "]") depth--
      if (character == " " && depth == 0) break
      value = value character
    }
    meaning[mark] = value
  }
}
/^==/ { if (++cases > 1) exit; next }
cases == 1 && NF { lines[++count] = $0; if (length($0) * 30 > widest) widest = length($0) * 30 }
END {
  width = widest + 60
  for (i = 1; i <= count; i++) if (lines[i] ~ /^with /) define(substr(lines[i], 6))
  body = 0
  for (i = 1; i <= count; i++) if (lines[i] ~ /^(cold|hot|expect|run)/) body++
  printf "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>\n<rect width='100%%' height='100%%' fill='#fff'/>\n", width, body * 44 + 40
  for (i = 1; i <= count; i++) {
    rest = lines[i]; sub(/^[^:]*: */, "", rest); gsub(/^ +| +$/, "", rest)
    head = lines[i]; sub(/:.*/, "", head); gsub(/ +$/, "", head)
    if (head ~ /^(cold|hot) /) draw(substr(head, length(head)), rest)
    else if (head ~ /^run /) {
      y += 44
      printf "<rect x='70' y='%d' width='%d' height='30' fill='#eef' stroke='#333'/>\n<text x='%d' y='%d' text-anchor='middle'>%s</text>\n", y - 15, width - 80, width / 2, y + 4, escape(substr(head, 5))
    } else if (head ~ /^expect/) draw("", rest)
  }
  print "</svg>"
}
