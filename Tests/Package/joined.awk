# joined.awk OUTLINED ASSEMBLY: tells where cmake/join.awk has changed what functions do. Each has the instructions that
# it had, but for a jump at its end to what comes next.
FNR == 1 {
  file++
  name = ""
}
{
  match($0, /^([^"#]|"[^"]*")*/)
  $0 = substr($0, 1, RLENGTH)
  sub(/[ \t]+$/, "")
  sub(/OUTLINED_COLD_/, "OUTLINED_")
  gsub(/@PLT|@GOTPCREL\(%rip\)|[()"*]/, "")
}
/^\t\.size/ { is_name = 0 }
/^\t\.(section|text|data|bss)/ {
  is_code = /\.text/
  is_name = 0
}
!is_code { next }
/^[^ \t]/ && !/^\.L(BB|func_end|tmp)/ {
  sub(/:$/, "")
  if (file == 1) is_there[$0] = 1
  else is_found[$0]++
  # A function that was folded has several names, of which it is called by the first.
  if (!is_name) {
    if (file == 2) follows[name] = $0
    name = $0
  }
  first[$0] = name
  is_name = 1
  next
}
/^\t[a-z]|^\.LBB/ {
  is_name = 0
  code[file, name] = code[file, name] $0 "\n"
  if (file == 1) last[name] = $0
}

END {
  for (name in is_there) {
    if (is_found[name] != 1) fault(name, "is there " is_found[name] + 0 " times")
    if (code[1, name] == code[2, name]) continue
    target = substr(last[name], 6)
    if (first[target] != follows[name]) fault(name, "goes on into " follows[name])
    else if (code[1, name] != code[2, name] last[name] "\n") fault(name, "has other instructions")
  }
  for (name in is_found) if (!(name in is_there)) fault(name, "was not there")
  exit faults > 0
}

function fault(name, text) {
  print name ": " text
  faults++
}
