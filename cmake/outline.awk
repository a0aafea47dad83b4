# outline.awk IR ASSEMBLY: prints the assembly of the last module, for x86-64, in which instructions that are in
# several places have become a function. LLVM's machine outliner takes out no calls on this architecture, and
# nothing that restores registers.
#
# A place jumps to instructions that end its function, whatever they do. It calls others, which must not change the
# stack's pointer. They may look at the stack, where all is further away for them, and call functions whose arguments
# are all in registers. A function's entry, which saves registers, becomes a call, too. A function that direct.sed has
# marked in the IR stays as it is. Another run shortens what has been taken out.
#
# The name of what looks at its caller's stack, or changes it, is OUTLINED_FRAME or OUTLINED_ENTRY.
FNR == 1 { file++ }

file == 1 {
  if (/^(define|declare) /) {
    marked = /"nooutline"/
    sub(/^[^@]*@"?/, "")
    name = $0
    sub(/["(].*/, "", name)
    if (marked) is_marked[name] = 1
    # The first six are in registers.
    if (!/\.\.\.|byval/ && gsub(/,/, "") < 6) takes_registers[name] = 1
  }
  next
}

/^[ \t]*#/ { next }
{
  line = $0
  # A name in quotation marks may have the sign of a remark in it.
  match($0, /^([^"#]|"[^"]*")*/)
  $0 = substr($0, 1, RLENGTH)
  sub(/[ \t]+$/, "")
}
# A small number comes into a register over the stack: both instructions are one to us. Another popq is not theirs.
/^\tpopq/ && !/%rsp/ && word[lines] && instruction[word[lines]] ~ /^\tpushq\t\$[^\n]*$/ {
  line = text[lines] "\n" line
  $0 = instruction[word[lines--]] "\n" $0
}
{ text[++lines] = line }
# Several functions that LLVM has merged into one, whose name is the first one's with Tm, were marked alike.
/^[^ \t.]/ {
  sub(/:.*/, "")
  gsub(/["()]/, "")
  name = $0
  sub(/Tm$/, "")
  # So were functions that fold.awk has folded, as far as events pass through one of them.
  stays = name in is_marked || $0 in is_marked || stays && text[lines - 1] ~ /^[^ \t.]/
}
/^OUTLINED_/ { made++ }
# A call would overwrite what is below the stack's pointer.
/-[0-9]+\(%rsp[,)]/ { has_red_zone[name] = 1 }
# LLVM knows that a call loses %r11. It does not know what has been taken out, which may use or set %r11.
/%r11/ && !/^\tpopq\t%r11$/ { uses_r11[name] = 1 }
/^\t(call|jmp)/ && !/^\tjmp\t\.L/ {
  if (/\tOUTLINED_/) {
    from[++ways] = name
    to[ways] = $2
  } else calls_others[name] = 1
}
# Neither labels and directives, nor jumps within a function, nor a prefix of the next instruction are taken out.
/^\t[a-z]/ && !/^\tj[^m]|^\tjmp\t\.L|^\t(lock|rep[a-z]*|data16)$/ && !stays {
  if (!($0 in number)) {
    number[$0] = ++words
    instruction[words] = $0
    kind[words] = kind_of($0)
    bytes[words] = bytes_of($0)
  }
  word[lines] = number[$0]
  home[lines] = name
  next
}
{ word[lines] = 0 }

function kind_of(code,   frame) {
  if (code ~ /^\t(ret|jmp|ud2)/) return "end"
  if (code ~ /^\tcall.*%rsp/) return "stack"
  if (code ~ /^\tcall/) return takes_registers_alone(code) ? "call" : "frame call"
  if (code ~ /^\tpushq\t\$[^\n]*\n\tpopq[^\n]*$/) return "plain"
  if (code ~ /^\t(push|pop|enter|leave)/) return "stack"
  if (code ~ /^\tmovq\t%rsp, %r[^s]|^\tmovq\t%rsp, %rsi$/) return "frame"
  # Its value is another one further down, and whoever changes it has changed the place of the return address.
  frame = gsub(/\(%rsp/, "", code)
  if (code ~ /%[er]?sp/) return "stack"
  return frame ? "frame" : "plain"
}

# Whether what is called looks at nothing on the stack, as far as that is known.
function takes_registers_alone(call) {
  if (call ~ /\tOUTLINED_[0-9]/) return 1
  gsub(/^\tcallq\t["(]*|[")]*(@PLT)?$/, "", call)
  return call in takes_registers
}

# About as many bytes as the instruction has.
function bytes_of(code) {
  if (code ~ /^\tret/) return 1
  if (code ~ /^\tpushq\t\$/) return 3
  if (code ~ /^\t(push|pop)/) return code ~ /%r[0-9]/ ? 2 : 1
  if (code ~ /^\t(call|jmp)/) return code ~ /\*/ ? 3 : 5
  if (code ~ /\(%rip\)/) return 7
  return 3 + (code ~ /[0-9]\(/) + (code ~ /\(%rsp/) + (code ~ /\$/) - (code ~ /^\t(xorl|testb|movb|ud2)/)
}

END {
  was_made = made
  follow(has_red_zone)
  follow(uses_r11)
  follow(calls_others)
  for (i = 1; i <= words; i++)
    if (kind[i] == "call" && is_inner(target_of(instruction[i]))) kind[i] = "inner call"
  outline_entries()
  find_rows()
  order_rows()
  # What saves most first: where rows overlap, the others lose places.
  for (gain = most; gain >= 1; gain--)
    for (i = 1; i <= rows_of[gain]; i++) outline(row_of[gain, i])
  for (i = 1; i <= lines; i++)
    if (i in instead) print instead[i]
    else if (!(i in is_taken)) print text[i]
  for (i = was_made + 1; i <= made; i++) {
    printf "\t.section\t.text.%s,\"ax\",@progbits\n\t.type\t%s,@function\n", label[i], label[i]
    printf "%s:\n%s\t.size\t%s, .-%s\n", label[i], body[i], label[i], label[i]
  }
}

# What is true of a function that was taken out is true of those that call it or jump to it.
function follow(trait,   i, again) {
  do {
    again = 0
    for (i = 1; i <= ways; i++)
      if (to[i] in trait && !(from[i] in trait)) again = trait[from[i]] = 1
  } while (again)
}

# The name of what has been taken out and is called, or nothing.
function target_of(code) {
  return sub(/^\tcallq\tOUTLINED_/, "OUTLINED_", code) ? code : ""
}

# Whether `name` was taken out and calls nothing else: it needs no alignment of the stack, and may leave %r11 alone.
function is_inner(name) {
  return name && !(name in calls_others)
}

# Makes functions of what many functions begin with: they save registers, and make room on the stack. Such a
# function holds its return address in a register that has no value there; what was taken out may begin elsewhere.
function outline_entries(   i, k, n, code, codes, found, at, free, count, sizes, totals) {
  for (i = 1; i < lines; i++) {
    if (word[i] || text[i] !~ /^[^ \t.]/ || text[i] ~ /^OUTLINED_/) continue
    code = ""
    for (k = i + 1; instruction[word[k]] ~ /^\t(pushq\t%r([^1s]|1[^1])|subq\t\$[^,]*, %rsp$)/; k++)
      code = code instruction[word[k]] "\n"
    if (!(code in count)) {
      codes[++found] = code
      sizes[code] = k - i - 1
      for (k = i + 1; k <= i + sizes[code]; k++) totals[code] += bytes[word[k]]
    }
    count[code]++
    at[code] = at[code] " " i + 1
  }
  for (n = 1; n <= found; n++) {
    code = codes[n]
    if (count[code] * (totals[code] - 5) <= totals[code] + 5) continue
    split(at[code], free, " ")
    code = "\tpopq\t%r11\n" code "\tpushq\t%r11\n\tretq\n"
    put("ENTRY_", code, "\tcallq\t", free, count[codes[n]], sizes[codes[n]])
  }
}

# Makes a function of `code`, whose name has `sort` in it, and to which `jump` goes from the `count` places of `at`,
# in the place of `size` instructions.
function put(sort, code, jump, at, count, size,   i, k) {
  body[++made] = code
  label[made] = "OUTLINED_" sort made
  for (i = 1; i <= count; i++) {
    for (k = 0; k < size; k++) is_taken[at[i] + k] = 1
    instead[at[i]] = jump label[made]
  }
}

# Finds the places of all rows of instructions that are in several. A row is its instructions but the last, as
# a number, and that one. `live` are the places where a row that is in several begins.
function find_rows(   i, k, n, kept, last, key, found, row, seen, at, times, live) {
  for (i = 1; i <= lines; i++) if (row[i] = word[i]) live[++n] = i
  longest = 1
  do {
    longest++
    split("", seen)
    found = kept = 0
    for (k = 1; k <= n; k++) {
      i = live[k]
      last = word[i + longest - 1]
      if (!last) continue
      live[++kept] = i
      key = row[i] " " last
      if (key in seen) {
        row[i] = seen[key]
        at[row[i]] = at[row[i]] " " i
        times[row[i]]++
      } else {
        row[i] = seen[key] = ++found
        at[found] = i
        times[found] = 1
      }
    }
    for (i = 1; i <= found; i++) if (times[i] > 1) places[longest, ++rows[longest]] = at[i]
    n = 0
    for (k = 1; k <= kept; k++) if (times[row[live[k]]] > 1) live[++n] = live[k]
  } while (n)
}

# Sorts the rows by what they would save if all of their places were free.
function order_rows(   size, i, k, n, at, total, gain) {
  for (size = 2; size <= longest; size++)
    for (i = 1; i <= rows[size]; i++) {
      n = split(places[size, i], at, " ")
      total = 0
      for (k = at[1]; k < at[1] + size; k++) total += bytes[word[k]]
      gain = n * (total - 5) - total
      if (gain < 1) continue
      if (gain > most) most = gain
      row_of[gain, ++rows_of[gain]] = size SUBSEP i
      size_of[size, i] = size
    }
}

# Makes a function of the row of `size` instructions that is at `places`, where that is shorter.
function outline(row,   size, at, free, count, code, n, i, k, total, last, saved, frame, calls) {
  n = split(places[row], at, " ")
  size = size_of[row]
  for (i = 1; i <= n; i++) if (is_free(at[i], size, free[count])) free[++count] = at[i]
  last = kind[word[at[1] + size - 1]]
  for (k = at[1]; k < at[1] + size; k++) {
    total += bytes[word[k]]
    code = code instruction[word[k]] "\n"
    if (kind[word[k]] ~ /frame/) frame = 1
    if (kind[word[k]] == "call" && k < at[1] + size - 1) calls = 1
  }
  saved = count * (total - 5) - total
  if (last != "end") saved -= (last !~ /call/) + 3 * calls
  if (saved < 1) return
  # Others have taken some of its places: what saves more now goes first.
  if (saved < gain) {
    row_of[saved, ++rows_of[saved]] = row
    return
  }
  if (last == "end") put("", code, "\tjmp\t", free, count, size)
  else put(frame ? "FRAME_" : "", as_function(code, last, calls), "\tcallq\t", free, count, size)
}

# The instructions `code` as a function that is called. The stack's pointer is a multiple of 16 where a function is
# called: if there are `calls` before the end, it is made one again. After such a call nothing is in %r11.
function as_function(code, last, calls,   end) {
  code = moved(code, calls ? 16 : 8)
  end = "\tretq\n"
  if (last ~ /call/) {
    match(code, /\tcallq[^\n]*\n$/)
    end = as_jump(substr(code, RSTART))
    code = substr(code, 1, RSTART - 1)
  }
  return calls ? "\tpushq\t%rax\n" code "\tpopq\t%r11\n" end : code end
}

# The instructions `code`, for which there are `more` bytes on the stack.
function moved(code, more,   result) {
  gsub(/movq\t%rsp, %/, "leaq\t(%rsp), %", code)
  while (match(code, /-?[0-9]*\(%rsp/)) {
    result = result substr(code, 1, RSTART - 1) (substr(code, RSTART, RLENGTH - 5) + more) "(%rsp"
    code = substr(code, RSTART + RLENGTH)
  }
  return result code
}

# Whether a row can be taken out at `place`; `previous` is the place before, where it will be.
function is_free(place, size, previous,   k, last, calls) {
  if (previous && place < previous + size) return 0
  for (k = place; k < place + size; k++) if (k in is_taken) return 0
  last = kind[word[place + size - 1]]
  if (last == "end") return 1
  if (last == "stack" || home[place] in has_red_zone) return 0
  for (k = place; k < place + size - 1; k++) {
    if (kind[word[k]] == "call") calls = 1
    else if (kind[word[k]] !~ /^(plain|frame|inner call)$/) return 0
  }
  if (calls)
    for (k = place; k < place + size; k++)
      if (instruction[word[k]] ~ /%r11/ || target_of(instruction[word[k]]) in uses_r11) return 0
  return 1
}

# A call at the end does not return to what makes it.
function as_jump(call) {
  sub(/\tcallq\t\*/, "\tjmpq\t*", call)
  sub(/\tcallq\t/, "\tjmp\t", call)
  return call
}
