extension ForeignValue {
  /// Goes through arrays in arrays without a call for each: they may be nested more deeply than a
  /// stack is long. `item` gets what is no array; the others an array's beginning, with the number
  /// of its items, and its end.
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

  /// Equal kinds and content; handles by identity. In a loop, as `visit` is.
  package func isEqual(to other: ForeignValue) -> Bool {
    guard let one = entity as? ArrayBox, let two = other.entity as? ArrayBox else {
      return isEqualItem(to: other)
    }
    // Pairs of arrays of the same length that are still to be compared.
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
