# Edits the LLVM IR of the last module, of which a release needs belay_* alone.
#
# A function of Swift's (its mangled name begins with $e) becomes internal. What C defines, or may define
# instead (the runtime's functions), keeps its linkage.
/^define .*@"\$e/s/^define ((linkonce_odr|weak_odr) )?(hidden|protected) /define internal /
