extension ForeignValue {
  /// Walks through nested arrays without recursion, because they may be nested more deeply than the
  /// stack allows. Calls `item` for each value that is no array, `begin` for each array, and `end`
  /// when an array is over.
  ///
  /// An array that is in others many times is visited as often, which a few arrays may make more often
  /// than there is time for. So the walk ends after `limit` arrays and items; then the answer is false.
  @discardableResult
  package func visit(
    atMost limit: Int = 1 << 20, begin: () -> Void = {}, item: (ForeignValue) -> Void,
    end: () -> Void = {}
  ) -> Bool {
    guard let array = entity as? ArrayBox else {
      item(self)
      return true
    }
    var left = limit
    // The arrays that are not over, and the place of the next item in each of them.
    var open: ReferenceArray = [array]
    var places: [UInt64] = [0]
    begin()
    while let items = open.last?.items {
      let place = Int(places[places.count - 1])
      if place == items.count {
        _ = open.popLast()
        places.removeLast()
        end()
        continue
      }
      if left == 0 { return false }
      left -= 1
      places[places.count - 1] += 1
      if let inner = items[place].entity as? ArrayBox {
        open.append(inner)
        places.append(0)
        begin()
      } else {
        item(items[place])
      }
    }
    return true
  }

  /// Whether kinds and contents are equal; handles are compared by identity. This does not recurse
  /// either.
  package func isEqual(to other: ForeignValue) -> Bool {
    guard let one = entity as? ArrayBox, let two = other.entity as? ArrayBox else {
      return isEqualItem(to: other)
    }
    // Arrays whose items have not been compared, and what they are to be equal to.
    var (ones, others): (ReferenceArray, ReferenceArray) = ([one], [two])
    var known = EqualArrays()
    defer { known.deallocate() }
    while let one = ones.popLast(), let two = others.popLast() {
      if one === two || !known.join(one, two) { continue }
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

/// Arrays that are equal if the comparison in progress finds no difference, as sets: each array but one
/// of a set refers to another of it. So arrays that are in others many times are compared once, however
/// often the comparison meets them.
private struct EqualArrays: ~Copyable {
  private var others = AddressTable()
  /// The first pairs are not noted: most comparisons have no more.
  private var unnoted = 64

  /// Makes one set of those of both. Answers false if it is one already.
  mutating func join(_ one: ArrayBox, _ two: ArrayBox) -> Bool {
    if unnoted > 0 {
      unnoted -= 1
      return true
    }
    let (first, second) = (representative(of: one), representative(of: two))
    if first == second { return false }
    others[first] = second
    return true
  }

  private mutating func representative(of array: ArrayBox) -> UInt {
    var place = UInt(bitPattern: Unmanaged.passUnretained(array).toOpaque())
    while others[place] != 0 {
      let next = others[place]
      // The way is half as long the next time.
      if others[next] != 0 { others[place] = others[next] }
      place = next
    }
    return place
  }

  func deallocate() { others.deallocate() }
}
