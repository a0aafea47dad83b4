/// The latest value of each of several inputs, in one piece of memory that a combiner is lent.
struct LatestValues<Element> {
  let values: UnsafeMutablePointer<Element>
  private let isThere: UnsafeMutablePointer<Bool>
  private let count: Int
  /// How many are not there yet.
  private(set) var missing: Int

  init(count: Int) {
    values = .allocate(capacity: count)
    isThere = .allocate(capacity: count)
    isThere.initialize(repeating: false, count: count)
    self.count = count
    missing = count
  }

  func has(_ place: Int) -> Bool { isThere[place] }

  /// Keeps a value, which is borrowed, in the place of the one before it.
  @inline(__always)
  mutating func store(_ value: Element, at place: Int) {
    keep(value)
    if isThere[place] {
      let old = values[place]
      values[place] = value
      discard(old)
    } else {
      (values + place).initialize(to: value)
      isThere[place] = true
      missing -= 1
    }
  }

  /// Gives back the values, and the memory.
  func deallocate() {
    for place in 0..<count where isThere[place] {
      discard(values[place])
      (values + place).deinitialize(count: 1)
    }
    values.deallocate()
    isThere.deallocate()
  }
}

/// A value of one of several types: those of the inputs of a junction that have not all the same.
enum OneOf<First, Second, Third> {
  case first(First)
  case second(Second)
  case third(Third)

  // Each place holds values of its own type only.
  var first: First {
    if case .first(let value) = self { return value }
    return Optional<First>.none.unsafelyUnwrapped
  }
  var second: Second {
    if case .second(let value) = self { return value }
    return Optional<Second>.none.unsafelyUnwrapped
  }
  var third: Third {
    if case .third(let value) = self { return value }
    return Optional<Third>.none.unsafelyUnwrapped
  }
}
