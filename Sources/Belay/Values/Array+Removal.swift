// Where the compiler would copy `removeAll(where:)`, which sorts, for each use.

extension Array where Element: Swift.AnyObject {
  /// Removes `element`, if it is there.
  @inline(never)
  package mutating func remove(_ element: Element) {
    for index in indices where self[index] === element {
      remove(at: index)
      return
    }
  }
}
