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

extension Array {
  /// Takes out the elements for which `isTaken` is true, in their order.
  @inline(__always)
  package mutating func take(where isTaken: (Element) -> Bool) -> [Element] {
    var taken: [Element] = []
    var left: [Element] = []
    for element in self {
      if isTaken(element) { taken.append(element) } else { left.append(element) }
    }
    self = left
    return taken
  }
}
