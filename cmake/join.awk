# join.awk ORDER ASSEMBLY: prints the assembly with functions beside those that they jump to, in one section. A
# function that ends with such a jump goes on into the other one instead: 5 bytes. From nearby a jump takes 2 bytes
# in place of 5: the assembler sees to that.
#
# ORDER names the functions that programs usually run. They, and what has been taken out of them, stay apart from the
# others, which would be between them in memory, but for a few bytes. What has been taken out of others alone gets
# another name, so that the linker does not put it beside them (BELAY_ORDER in CMakeLists.txt).
#
# A part is a section of one function. Those of exported functions stay alone: who links the archive may leave them out.
FNR == 1 { file++ }
file == 1 {
  is_usual[$0] = 1
  next
}
/^\t\.(section|text|data|bss)/ {
  part = 0
  if (/^\t\.section\t"?\.text\.[^,]*,"ax"/) first[part = ++parts] = FNR
}
{
  text[lines = FNR] = $0
  gsub(/[()"]|@PLT/, "")
}
/^\t\.size/ && part { end[part] = FNR }
!part || part in end { next }
/^\t\.(globl|weak)/ { is_alone[part] = 1 }
/^[^ \t#]/ && !/^\.L(BB|func_end|tmp)/ {
  sub(/:.*/, "")
  at[$0] = part
  if ($0 in is_usual) is_hot[part] = 1
  if ($0 ~ /^OUTLINED_/) was_taken_out[part] = 1
}
# About as long as an instruction is. One that refers to something far away has an address besides.
/^\t[a-z]/ { size[part] += /%rip|^\tcall/ ? 6 : 3 }
/^\t(call|j)[a-z]*\t[^*]/ && !/\t\.LBB/ {
  from[++ways] = part
  to[ways] = $2
  way_at[ways] = size[part]
  is_jump[ways] = /^\tj/
  # No other instruction comes behind it.
  if (/^\tjmp/) last_way[part] = ways
}
/^\t[a-z]/ && !/^\tjmp\t[^*.]/ { last_way[part] = 0 }

END {
  a_few = 24
  heat()
  for (i = 1; i <= ways; i++) {
    target = at[to[i]]
    if (!is_jump[i] || !(target in end) || target == from[i]) is_jump[i] = 0
    else if (from[i] in is_alone || target in is_alone) is_jump[i] = 0
    else jumps[target] = jumps[target] " " i
  }
  for (i = 1; i <= parts; i++) {
    members[chain[i] = i] = i
    place[i] = 0
    length_of[i] = size[i]
    if (i in is_hot) is_hot_chain[i] = 1
  }
  for (i = 1; i <= parts; i++) go_on_into(i)
  for (i = 1; i <= parts; i++) bring_near(i)
  write()
}

# What has been taken out of a function that programs usually run is run, too.
function heat(   i, again, target) {
  do {
    again = 0
    for (i = 1; i <= ways; i++) {
      target = at[to[i]]
      if (from[i] in is_hot && target in was_taken_out && !(target in is_hot)) again = is_hot[target] = 1
    }
  } while (again)
}

# Puts the shortest function that ends with a jump to `target`, and goes on into no other, before it.
function go_on_into(target,   i, n, way, each, best) {
  n = split(jumps[target], way, " ")
  for (i = 1; i <= n; i++) {
    each = from[way[i]]
    if (last_way[each] != way[i] || each in goes_on || !may_join(chain[each], chain[target])) continue
    if (!best || size[each] < size[best]) best = each
  }
  if (!best) return
  goes_on[best] = 1
  is_left_out[last_instruction(best)] = 1
  join(chain[best], chain[target])
}

function last_instruction(part,   i) {
  for (i = end[part]; text[i] !~ /^\t[a-z]/;) i--
  return i
}

# Joins the chains of functions that jump to `target` with its own where the jump becomes a short one.
function bring_near(target,   i, n, way, a, b, before, behind) {
  n = split(jumps[target], way, " ")
  for (i = 1; i <= n; i++) {
    a = chain[from[way[i]]]
    b = chain[target]
    if (!may_join(a, b)) continue
    before = length_of[a] - place[from[way[i]]] - way_at[way[i]] + place[target]
    behind = length_of[b] - place[target] + place[from[way[i]]] + way_at[way[i]]
    if (before <= behind && before < 120) join(a, b)
    else if (behind < 120) join(b, a)
  }
}

# Whether two chains may become one: no long one that programs usually do not run is put between the others.
function may_join(a, b) {
  if (a == b) return 0
  if ((a in is_hot_chain) == (b in is_hot_chain)) return 1
  return length_of[a in is_hot_chain ? b : a] <= a_few
}

# Puts the chain `b` behind the chain `a`.
function join(a, b,   i, n, each) {
  n = split(members[b], each, " ")
  for (i = 1; i <= n; i++) {
    chain[each[i]] = a
    place[each[i]] += length_of[a]
  }
  members[a] = members[a] " " members[b]
  length_of[a] += length_of[b]
  if (b in is_hot_chain) is_hot_chain[a] = 1
  delete members[b]
}

function write(   i, k, n, each) {
  for (i = 1; i <= parts; i++) starts[first[i]] = i
  for (i = 1; i <= lines; i++) {
    if (i in starts) {
      part = starts[i]
      if (part in members) {
        n = split(members[part], each, " ")
        for (k = 1; k <= n; k++) write_part(each[k], k > 1)
      }
      i = end[part]
    } else print_line(i)
  }
}

function write_part(part, is_behind,   i) {
  for (i = first[part] + is_behind; i <= end[part]; i++) if (!(i in is_left_out)) print_line(i)
}

function print_line(i,   name) {
  if (match(text[i], /OUTLINED_[A-Z_0-9]*/)) {
    name = substr(text[i], RSTART, RLENGTH)
    if (at[name] && !(chain[at[name]] in is_hot_chain)) gsub(/OUTLINED_/, "OUTLINED_COLD_", text[i])
  }
  print text[i]
}
