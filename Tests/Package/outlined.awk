# outlined.awk ASSEMBLY: tells what is wrong with the functions that cmake/outline.awk has made and that are called.
# Each must return with the stack's pointer as it was, keep away from its return address and from what is below the
# pointer, and keep %r11 where nothing that it calls loses it.
{
  match($0, /^([^"#]|"[^"]*")*/)
  $0 = substr($0, 1, RLENGTH)
  sub(/[ \t]+$/, "")
}
/^[^ \t.]/ {
  sub(/:.*/, "")
  # What was folded has several names. The first of them that was taken out stands for the others.
  if (is_name && name ~ /^OUTLINED_/) also[$0] = name
  else name = $0
  is_name = 1
}
/^\t/ { is_name = 0 }
/^\t[a-z]/ && name ~ /^OUTLINED_/ { code[name, ++count[name]] = $0 }
/^\tcallq\tOUTLINED_/ { called[$2] = 1 }

END {
  # The entries of functions change the stack's pointer: they are called where a function begins, and nowhere else.
  for (name in called) if (name !~ /_ENTRY_/) see(name, name, 0, 0, 0)
  exit faults > 0
}

function fault(name, text, line) {
  print name ": " text ":" line
  faults++
}

# Follows `first` through `name`, with `depth` bytes on the stack, of which `before` are not this function's. Returns
# whether a call has lost %r11, or `lost`.
function see(first, name, depth, before, lost,   i, line, words, target, is_small) {
  while (name in also) name = also[name]
  for (i = 1; i <= count[name]; i++) {
    line = code[name, i]
    split(line, words, "\t")
    target = words[3] ~ /^OUTLINED_/ ? words[3] : ""
    if (line ~ /^\tud2/) return 1
    if (line ~ /^\tjmp/ && target && target !~ /_ENTRY_/) return see(first, target, depth, before, lost)
    if (line ~ /^\t(ret|jmp)/) {
      if (depth != before) fault(first, "ends with something on the stack", line)
      if (line ~ /^\tjmp/ && depth % 16) fault(first, "calls with an unaligned stack", line)
      return lost || line ~ /^\tjmp/
    }
    if (target ~ /_ENTRY_/) fault(first, "lets a call change the stack's pointer", line)
    else if (target) lost = see(first, target, depth + 8, depth + 8, lost)
    else if (line ~ /^\tcall/) {
      if (depth % 16 != 8) fault(first, "calls with an unaligned stack", line)
      lost = 1
    } else if (line ~ /^\tpushq/) {
      if (line ~ /%rsp/) fault(first, "pushes what is elsewhere", line)
      depth += 8
    } else if (line ~ /^\tpopq/) {
      if (depth == before) fault(first, "takes its return address", line)
      if (line ~ /%rsp/) fault(first, "pops to another place", line)
      if (line ~ /%r11/ && !is_small && !lost) fault(first, "loses %r11", line)
      depth -= 8
    } else see_stack(first, line, depth)
    is_small = line ~ /^\tpushq\t\$/
  }
  fault(first, "has no end", "")
}

function see_stack(first, line, depth) {
  if (line ~ /-[0-9]+\(%rsp/) fault(first, "uses what is below the stack's pointer", line)
  else if (match(line, /[0-9]*\(%rsp/)) {
    if (first !~ /_FRAME_/) fault(first, "looks at the stack without a name that tells so", line)
    if (substr(line, RSTART, RLENGTH - 5) + 0 < depth + 8) fault(first, "uses its own stack", line)
  }
  gsub(/\(%rsp/, "", line)
  if (line ~ /%[er]?sp/) fault(first, "uses the stack's pointer itself", line)
}
