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

  func has(_ index: Int) -> Bool { isThere[index] }

  /// Stores a value, which is borrowed, and discards the one before it.
  @inline(__always)
  mutating func store(_ value: Element, at index: Int) {
    keep(value)
    if isThere[index] {
      let old = values[index]
      values[index] = value
      discard(old)
    } else {
      (values + index).initialize(to: value)
      isThere[index] = true
      missing -= 1
    }
  }

  /// Discards the values, and frees the memory.
  func deallocate() {
    for index in 0..<count where isThere[index] {
      discard(values[index])
      (values + index).deinitialize(count: 1)
    }
    values.deallocate()
    isThere.deallocate()
  }
}
