/// Runs `replace`, which replaces a function in a table. If `word` is in an object's copy of its
/// table, the function is replaced in the original. The copies of the original follow.
@inline(__always)
func replacing<Function, Result>(
  at word: UnsafeMutablePointer<Function>,
  _ replace: (UnsafeMutablePointer<Function>) -> Result
) -> Result {
  let original = ObjectTable.original(of: word)
  let result = replace(original.assumingMemoryBound(to: Function.self))
  MethodSlot.writing.withLock { ObjectTable.hasChanged(original, 0) }
  return result
}
