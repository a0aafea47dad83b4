/// The latest value of each of several inputs, in one piece of memory that a combiner can borrow.
struct LatestValues<Element> {
  let values: UnsafeMutablePointer<Element>
  private let isThere: UnsafeMutablePointer<Bool>
  private let count: Int
  /// How many inputs have no value yet.
  private(set) var missing: Int

  init(count: Int) {
    values = .allocate(capacity: count)
    isThere = .allocate(capacity: count)
    isThere.initialize(repeating: false, count: count)
    self.count = count
    missing = count
  }

  func has(_ place: Int) -> Bool { isThere[place] }

  /// Stores a value, which is borrowed, and discards the one before it.
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

  /// Discards the values, and frees the memory.
  func deallocate() {
    for place in 0..<count where isThere[place] {
      discard(values[place])
      (values + place).deinitialize(count: 1)
    }
    values.deallocate()
    isThere.deallocate()
  }
}

/// A value of one of several types, for a junction whose inputs have different types.
enum OneOf<First, Second, Third> {
  case first(First)
  case second(Second)
  case third(Third)

  // Each index has values of one type only, so the other cases cannot occur.
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
