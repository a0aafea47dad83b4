extension Array {
  /// Adds an element at the end. The compiler copies the standard library's function, of 80 bytes and
  /// more, into each caller; it prefers this one.
  @inline(never)
  package mutating func append(_ element: __owned Element) { Self.add(element, to: &self) }

  /// By the standard library's function, which a collection of any type has.
  private static func add<All: RangeReplaceableCollection>(
    _ element: __owned All.Element, to all: inout All
  ) {
    all.append(element)
  }
}
