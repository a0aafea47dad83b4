/// The junction of zip: it has a queue for each input, and the memory of one row, which the
/// combiner borrows.
final class ZipJunction<Element, Output>: IndexedJunction<Element, Output>,
  @unchecked Sendable
{
  private let count: Int
  private let queues: UnsafeMutablePointer<FIFO<Element>>
  private let ends: UnsafeMutablePointer<End?>
  private let row: UnsafeMutablePointer<Element>
  private let combine: (UnsafeMutablePointer<Element>) throws(ClosureError) -> Output
  /// How many queues have a value.
  private var ready = 0
  private var hasEnds = false
  /// 1 as soon as a value has waited. So the high-water mark costs the first value only.
  private var noted = 0

  init(
    _ downstream: Sink<Output>, _ ports: [Port<Element, Output>], at home: Home,
    _ combine: @escaping (UnsafeMutablePointer<Element>) throws(ClosureError) -> Output
  ) {
    count = ports.count
    queues = .allocate(capacity: count)
    for index in 0..<count { (queues + index).initialize(to: FIFO()) }
    ends = .allocate(capacity: count)
    ends.initialize(repeating: nil, count: count)
    row = .allocate(capacity: count)
    self.combine = combine
    super.init(downstream, ports, at: home)
  }

  @_optimize(speed)
  override func handle(_ value: Element, at index: Int) {
    keep(value)
    queues[index].append(value)
    if queues[index].count > noted, staysBehind(at: index) { return }
    ready &+= 1
    if ready < count { return }
    for index in 0..<count {
      (row + index).initialize(to: queues[index].removeFirst())
      if queues[index].isEmpty { ready &-= 1 }
    }
    pass { () throws(ClosureError) -> Output in try combine(row) }
    for index in 0..<count { discard(row[index]) }
    row.deinitialize(count: count)
    if hasEnds && !isClosed { endIfExhausted() }
  }

  /// Bounds the queue at `index`, to which a value has been added. Answers whether others are in front
  /// of that value.
  @inline(never)
  private func staysBehind(at index: Int) -> Bool {
    let count = queues[index].count
    noted = 1
    switch limit.admit(after: count - 1) {
    case .accepted: break
    case .replacesOldest: discard(queues[index].removeFirst())
    case .dropped: if let value = queues[index].popLast() { discard(value) }
    case .refused: pass(end: limit.refusal)
    }
    return count > 1
  }

  override func handle(_ end: End, at index: Int) {
    if case .failed = end { return pass(end: end) }
    ends[index] = end
    hasEnds = true
    if queues[index].isEmpty { pass(end: end) }
  }

  /// Ends if an input has ended and none of its values waits.
  private func endIfExhausted() {
    var result: End?
    for index in 0..<count where queues[index].isEmpty {
      guard let end = ends[index] else { continue }
      if case .interrupted = end { result = end } else if case .none = result { result = end }
    }
    if let result { pass(end: result) }
  }

  override func empty() {
    for index in 0..<count { queues[index].discardAll() }
    queues.deallocate()
    ends.deinitialize(count: count)
    ends.deallocate()
    row.deallocate()
  }
}
