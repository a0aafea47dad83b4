# calls.awk IR ASSEMBLY: prints the assembly of the last module, for x86-64. Where several places move
# something into a register and then call the same function, they call one that does both: it moves, and
# jumps. LLVM's machine outliner takes no call out on this architecture. Most of these calls are retains and
# releases, and each place becomes three bytes or more shorter.
#
# A function that direct.sed has marked in the IR stays as it is.
FNR == 1 { file++ }

file == 1 {
  if (/^define / && /"nooutline"/) {
    sub(/^[^@]*@"?/, "")
    sub(/["(].*/, "")
    is_marked[$0] = 1
  }
  next
}

{
  text[++lines] = $0
  sub(/[ \t]*#.*/, "")
}
/^[^ \t.]/ {
  sub(/:.*/, "")
  gsub(/["()]/, "")
  stays = $0 in is_marked
  move = ""
  next
}
/^\tcallq\t[^*]/ && move != "" && !stays {
  pair[lines] = move "\n" $0
  count[move "\n" $0]++
}
# What is relative to the stack would be so to another one within the function.
{ move = /^\t(mov|lea)[a-z]*\t/ && !/%[er]?sp/ ? $0 : "" }

END {
  for (i = 1; i <= lines; i++) {
    # With fewer, the function is longer than what it saves.
    if (count[pair[i + 1]] >= 4) continue
    if (count[pair[i]] < 4) {
      print text[i]
      continue
    }
    if (!(pair[i] in number)) {
      number[pair[i]] = ++made
      body[made] = pair[i]
    }
    print "\tcallq\tOUTLINED_CALL_" number[pair[i]]
  }
  for (i = 1; i <= made; i++) {
    name = "OUTLINED_CALL_" i
    sub(/\n\tcallq/, "\n\tjmp", body[i])
    printf "\t.section\t.text.%s,\"ax\",@progbits\n\t.type\t%s,@function\n", name, name
    printf "%s:\n%s\n\t.size\t%s, .-%s\n", name, body[i], name, name
  }
}
