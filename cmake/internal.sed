# Edits the LLVM IR of the last module, of which a release needs belay_* alone.
#
# A function of Swift's (its mangled name begins with $e) becomes internal. What C defines, or may define
# instead (the runtime's functions), keeps its linkage.
/^define .*@"\$e/s/^define ((linkonce_odr|weak_odr) )?(hidden|protected) /define internal /
#
# A class's table has its superclass, its destroyer, the destroyer of its fields, and its methods, first of all an
# initialiser. The runtime calls the destroyer of fields, fE, for an initialiser that throws before all fields
# are set, and there is none (the build looks). The table calls an initialiser only if it is `required`, and
# there is none (scripts/lint looks). So initialisers that nobody calls, whose names end in fC, are left out, and
# so are the third and the fourth place of each table, and those at its end that nobody calls.
/^@"\$e[^"]*N" = .*<\{/{
  s/ptr @"\$e[^"]*(c|Ll)fC([^"]*T[gG]q?5m?)?"/ptr null/g
  s/ptr @"\$e[^"]*CfE([^"]*T[gG]q?5m?)?"/ptr null/
  t places
  :places
  s/(<\{ ptr, ptr), ptr(, ptr)?((, ptr)* \}> <\{ ptr [^,]*, ptr [^, ]*), ptr null(, ptr (null|@swift_deletedMethodError|@"\$e[^"]*fC[^"]*TV"))?( \}>|, ptr )/\1\3\7/
  t shorten
  s/^/The fourth place of a table is no initialiser: write it before the methods. /
  :shorten
  s/, ptr( \}> <\{ ptr [^,]*, ptr [^,]*(, .*)?), ptr (null|@swift_deletedMethodError) \}>/\1 }>/
  t shorten
}
# A call looks for its method two places before.
/getelementptr inbounds ptr, ptr %[^ ]*, i64 [0-9]+$/{
  N
  s/(i64 )([0-9]+)(\n[^\n]*!invariant\.load)/\1sub (i64 \2, i64 2)\3/
  t
  P
  D
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
# What a closure captures has a table, which tells how it is destroyed and nothing else. Each table has a section of
# its own, so that the linker makes one of those that came out the same. 4 KB.
s/^@(metadata[.0-9]*) = (private constant .*), align 8$/@\1 = \2, section ".data.rel.ro.\1", align 8/
#
# What destroys what a closure captures keeps its name in the object, by which the linker finds it (CMakeLists.txt).
s/^define private (swiftcc void @objectdestroy)/define internal \1/
#
# The body of an exported function is a function of its own, and Swift marks the one call of it, and the
# calls of copies it has put into functions, as not to be inlined. LLVM decides.
s/^attributes (#[0-9]+) = \{ noinline \}$/attributes \1 = { nounwind }/
