# fold.awk ASSEMBLY: prints it with one function in the place of those that are the same, which has all of their names.
# The linker does that, too. But before it, what they have in common would be taken out of each (outline.awk), and what
# it may still fold cannot stand beside others (join.awk). Tables of a closure's context are folded as well.
#
# A part is a section of one function or table. Two parts are the same if they differ in their names and in the numbers
# of labels alone, and refer to what is the same.
/^\t\.(section|text|data|bss)/ {
  part = 0
  if (/^\t\.section\t("?\.text\.|\.data\.rel\.ro\.metadata)/) {
    first[part = ++parts] = NR
    name[part] = $2
    sub(/^"?\.(text\.|data\.rel\.ro\.)/, "", name[part])
    sub(/"?,.*/, "", name[part])
    flags[part] = $0
    sub(/[^,]*/, "", flags[part])
    if (/ro\.metadata/) name[part] = ".L" name[part]
  }
}
{ text[NR] = $0 }
!part || part in end { next }
$0 ~ /^[^ \t#]/ && !(part in start) {
  start[part] = NR
  next
}
/^\t\.size/ { end[part] = NR }
!(part in start) || /^\.Lfunc_end|^\t\.size/ { next }
{
  sub(/[ \t]*#.*/, "")
  # These are in sections of their own.
  if (/\.L(JTI|CPI)/) is_alone[part] = 1
  gsub(/\.LBB[0-9]+_/, ".LBB_")
}
(/\(%rip\)|^\t(\.quad|call|j)/) && !/\.LBB/ {
  while (match($0, /[$._A-Za-z][$._A-Za-z0-9]*/)) {
    referred[part, ++references[part]] = substr($0, RSTART, RLENGTH)
    said[part] = said[part] substr($0, 1, RSTART - 1)
    $0 = substr($0, RSTART + RLENGTH)
  }
}
$0 != "" { said[part] = said[part] $0 "\n" }

END {
  do {
    again = 0
    split("", seen)
    for (i = 1; i <= parts; i++) {
      if (i in is_alone || i in same || !(i in end)) continue
      key = flags[i] said[i]
      for (k = 1; k <= references[i]; k++) {
        to = referred[i, k]
        while (to in kept) to = kept[to]
        key = key " " (to == name[i] ? "itself" : to)
      }
      if (key in seen) {
        same[i] = seen[key]
        kept[name[i]] = name[seen[key]]
        again = 1
      } else seen[key] = i
    }
  } while (again)
  for (i = 1; i <= parts; i++) {
    if (!(i in same)) continue
    for (into = same[i]; into in same;) into = same[into]
    for (k = first[i]; k < start[i]; k++)
      if (text[k] ~ /^\t\.(type|globl|weak|protected|hidden)/) told[into] = told[into] text[k] "\n"
    names[into] = names[into] text[start[i]] "\n"
    sizes[into] = sizes[into] "\t.size\t" name[i] ", .-" name[i] "\n"
    for (k = first[i]; k <= end[i]; k++) is_left_out[k] = 1
  }
  for (i in names) {
    text[start[i]] = told[i] names[i] text[start[i]]
    text[end[i]] = sizes[i] text[end[i]]
  }
  for (i = 1; i <= NR; i++) if (!(i in is_left_out)) print text[i]
}
