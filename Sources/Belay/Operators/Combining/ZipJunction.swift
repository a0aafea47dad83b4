/// The junction of zip: it has a queue for each input, and the memory of one row, which the
/// combiner borrows.
final class ZipJunction<Element, Output>: IndexedJunction<Element, Output>,
  @unchecked Sendable
{
  private let count: Int
  private let queues: UnsafeMutablePointer<FIFO<Element>>
  private let ends: UnsafeMutablePointer<End?>
  private let row: UnsafeMutablePointer<Element>
  private let combine: (UnsafeMutablePointer<Element>) throws(Failure) -> Output
  /// How many queues have a value.
  private var ready = 0
  private var hasEnds = false

  init(
    _ downstream: Sink<Output>, _ ports: [Port<Element, Output>], count: Int, at home: Home,
    _ combine: @escaping (UnsafeMutablePointer<Element>) throws(Failure) -> Output
  ) {
    self.count = count
    queues = .allocate(capacity: count)
    for place in 0..<count { (queues + place).initialize(to: FIFO()) }
    ends = .allocate(capacity: count)
    ends.initialize(repeating: nil, count: count)
    row = .allocate(capacity: count)
    self.combine = combine
    super.init(downstream, ports, at: home)
  }

  @_optimize(speed)
  override func take(_ value: Element, at place: Int) {
    keep(value)
    queues[place].append(value)
    if queues[place].count > 1 { return }
    ready &+= 1
    if ready < count { return }
    for place in 0..<count {
      (row + place).initialize(to: queues[place].removeFirst())
      if queues[place].isEmpty { ready &-= 1 }
    }
    pass { () throws(Failure) -> Output in try combine(row) }
    for place in 0..<count { discard(row[place]) }
    row.deinitialize(count: count)
    if hasEnds && !isClosed { endIfExhausted() }
  }

  override func take(_ end: End, at place: Int) {
    if case .failed = end { return pass(end: end) }
    ends[place] = end
    hasEnds = true
    endIfExhausted()
  }

  /// Ends if an input has ended and none of its values waits.
  private func endIfExhausted() {
    var result: End?
    for place in 0..<count where queues[place].isEmpty {
      guard let end = ends[place] else { continue }
      if case .interrupted = end { result = end } else if case .none = result { result = end }
    }
    if let result { pass(end: result) }
  }

  override func empty() {
    for place in 0..<count { queues[place].discardAll() }
    queues.deallocate()
    ends.deinitialize(count: count)
    ends.deallocate()
    row.deallocate()
  }
}
