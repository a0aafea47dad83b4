extension ForeignValue {
  /// Walks through nested arrays without recursion, because they may be nested more deeply than the
  /// stack allows. Calls `item` for each value that is no array, `begin` with the number of items
  /// for each array, and `end` when an array is over.
  package func visit(
    begin: (Int) -> Void = { _ in }, item: (ForeignValue) -> Void, end: () -> Void = {}
  ) {
    guard let array = entity as? ArrayBox else { return item(self) }
    // The arrays that are not over, and the place of the next item in each of them.
    var open: ReferenceArray = [array]
    var places: [UInt64] = [0]
    begin(array.items.count)
    while let items = open.last?.items {
      let place = Int(places[places.count - 1])
      if place == items.count {
        _ = open.popLast()
        places.removeLast()
        end()
        continue
      }
      places[places.count - 1] += 1
      if let inner = items[place].entity as? ArrayBox {
        open.append(inner)
        places.append(0)
        begin(inner.items.count)
      } else {
        item(items[place])
      }
    }
  }

  /// Whether kinds and contents are equal; handles are compared by identity. This does not recurse
  /// either.
  package func isEqual(to other: ForeignValue) -> Bool {
    guard let one = entity as? ArrayBox, let two = other.entity as? ArrayBox else {
      return isEqualItem(to: other)
    }
    // Arrays whose items have not been compared, and what they are to be equal to.
    var (ones, others): (ReferenceArray, ReferenceArray) = ([one], [two])
    while let one = ones.popLast(), let two = others.popLast() {
      if one === two { continue }
      if one.items.count != two.items.count { return false }
      for index in one.items.indices {
        let (first, second) = (one.items[index], two.items[index])
        if let first = first.entity as? ArrayBox, let second = second.entity as? ArrayBox {
          ones.append(first)
          others.append(second)
        } else if !first.isEqualItem(to: second) {
          return false
        }
      }
    }
    return true
  }
}
