# Edits the LLVM IR of the last module where Sources/CBelayShim/references.c counts on x86-64, and says that
# a retain and a release preserve the registers of those that call them. The runtime's own definitions, which
# are weak and do not, become declarations.
s/call (ptr|void) @swift_(retain|release)\(/call preserve_mostcc \1 @swift_\2(/
/^define .*@swift_(retain|release)\(/,/^\}/{
  s/^define .*(ptr|void) @swift_(retain|release)\(ptr( returned|) %0\) (#[0-9]+) \{$/declare preserve_mostcc \1 @swift_\2(ptr\3) \4/
  /^declare /!d
}
