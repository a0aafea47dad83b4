# Edits the LLVM IR of the last module, of which a release needs belay_* alone.
#
# A function of Swift's (its mangled name begins with $e) becomes internal. What C defines, or may define
# instead (the runtime's functions), keeps its linkage.
/^define .*@"\$e/s/^define ((linkonce_odr|weak_odr) )?(hidden|protected) /define internal /
#
# A class's table of methods has a place for each of its initialisers. Only a `required` one is ever
# called by it, and there are none (scripts/lint looks). So these places are emptied: the initialisers
# that nobody calls, whose names end in fC, are left out. So is each class's destroyer of fields, fE: the
# runtime calls it for an initialiser that throws before all fields are set, and there is none (the build
# looks). So are empty places at the end of a table, but for its first three words, which the runtime
# reads.
/^@"\$e[^"]*N" = /{
  s/ptr @"\$e[^"]*(c|Ll)fC([^"]*T[gG]q?5m?)?"/ptr null/g
  s/ptr @"\$e[^"]*CfE([^"]*T[gG]q?5m?)?"/ptr null/
  :shorten
  s/, ptr( \}> <\{ ptr [^,]*, ptr [^,]*, ptr [^,]*(, .*)?), ptr null \}>/\1 }>/
  t shorten
}
#
# An object of ours is never aligned to more than malloc aligns, and what is freed is freed whole: the
# sizes and alignments that the runtime's functions take need not be passed. 3 KB.
s/call ((noalias )?ptr) @swift_allocObject\((.*), i64 (7|15)\)/call \1 @belay_shim_allocate(\3)/
s/call void @swift_deallocClassInstance\((ptr [^,]*), i64 [^,]*, i64 (7|15)\)/call void @belay_deallocate(\1)/
$a\
declare noalias ptr @belay_shim_allocate(ptr, i64)\
define internal void @belay_deallocate(ptr %object) noinline {\
  call void @swift_deallocClassInstance(ptr %object, i64 0, i64 0)\
  ret void\
}
#
# The body of an exported function is a function of its own, and Swift marks the one call of it, and the
# calls of copies it has put into functions, as not to be inlined. LLVM decides.
s/^attributes (#[0-9]+) = \{ noinline \}$/attributes \1 = { nounwind }/
