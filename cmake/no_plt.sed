# Edits the assembly of the last module, for x86-64: what other libraries define is called through its entry of the
# global offset table. The linker then makes no stub for it, which is longer than the longer calls.
/@PLT/{
  /\t(swift|belay)_[^\t]*@PLT/!s/\t(callq|jmp)\t([a-z0-9_]+)@PLT/\t\1\t*\2@GOTPCREL(%rip)/
}
