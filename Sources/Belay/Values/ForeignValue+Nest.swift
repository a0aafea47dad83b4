extension ForeignValue {
  /// Walks through nested arrays without recursion, because they may be nested more deeply than the
  /// stack allows. Calls `item` for each value that is no array, `begin` with the number of items
  /// for each array, and `end` when an array is over.
  package func visit(
    begin: (Int) -> Void = { _ in }, item: (ForeignValue) -> Void, end: () -> Void = {}
  ) {
    guard let array = entity as? ArrayBox else { return item(self) }
    var open: [(items: [ForeignValue], next: Int)] = [(array.items, 0)]
    begin(array.items.count)
    while let (items, next) = open.last {
      if next == items.count {
        open.removeLast()
        end()
        continue
      }
      open[open.count - 1].next += 1
      if let inner = items[next].entity as? ArrayBox {
        open.append((inner.items, 0))
        begin(inner.items.count)
      } else {
        item(items[next])
      }
    }
  }

  /// Whether kinds and contents are equal; handles are compared by identity. This does not recurse
  /// either.
  package func isEqual(to other: ForeignValue) -> Bool {
    guard let one = entity as? ArrayBox, let two = other.entity as? ArrayBox else {
      return isEqualItem(to: other)
    }
    // Pairs of arrays of the same length whose items have not been compared.
    var pairs = [(one, two)]
    while let (one, two) = pairs.popLast() {
      if one === two { continue }
      if one.items.count != two.items.count { return false }
      for index in one.items.indices {
        let (first, second) = (one.items[index], two.items[index])
        if let first = first.entity as? ArrayBox, let second = second.entity as? ArrayBox {
          pairs.append((first, second))
        } else if !first.isEqualItem(to: second) {
          return false
        }
      }
    }
    return true
  }
}
