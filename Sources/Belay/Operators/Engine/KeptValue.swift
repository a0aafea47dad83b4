/// Room for one value, which is kept.
struct KeptValue<Value> {
  private var held: Value?

  var isEmpty: Bool { held == nil }

  /// Keeps `value` in the place of what is there.
  @inline(__always)
  mutating func put(_ value: Value) {
    keep(value)
    let old = held
    held = value
    if let old { discard(old) }
  }

  /// What is there; it is the caller's to discard.
  mutating func take() -> Value? {
    let value = held
    held = nil
    return value
  }

  mutating func clear() { if let value = take() { discard(value) } }
}

/// Events or values in the order of their coming.
struct FIFO<Element> {
  private var elements: [Element] = []
  private var head = 0

  var count: Int { elements.count - head }
  var isEmpty: Bool { head == elements.count }
  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    if isEmpty { return nil }
    let element = elements[head]
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: head <= 64)
      head = 0
    } else if head >= 64, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  mutating func popLast() -> Element? {
    if isEmpty { return nil }
    let element = elements.popLast()
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    }
    return element
  }
}
