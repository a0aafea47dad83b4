extension Signal {
  /// Sends the last `count` values when the source has completed, and keeps that many. With a count
  /// of 0 it completes at once, without subscribing. (suffix, last in other libraries.)
  public final func takeLast(_ count: Int) -> Signal<Value> {
    count <= 0 ? .empty() : lift("take_last") { LatestStage($0, count, takes: true) }
  }

  /// Sends all but the last `count` values: each one when `count` more have come. Keeps that many.
  /// (dropLast in other libraries.)
  public final func skipLast(_ count: Int) -> Signal<Value> {
    lift("skip_last") { LatestStage($0, count, takes: false) }
  }
}

/// The latest values, up to a number.
private struct Latest<Value> {
  private var values: [Value] = []
  private var head = 0
  private let limit: Int

  init(_ limit: Int) { self.limit = max(0, limit) }

  var count: Int { values.count }

  /// Stores `value`. Returns the value that it replaces, which the caller discards.
  mutating func push(_ value: Value) -> Value? {
    keepGathered(value)
    if limit == 0 { return value }
    if values.count < limit {
      values.append(value)
      return nil
    }
    let oldest = values[head]
    values[head] = value
    head = head + 1 == limit ? 0 : head + 1
    return oldest
  }

  /// The value that is `index` after the oldest.
  subscript(index: Int) -> Value {
    let toEnd = values.count - head
    return values[index < toEnd ? head + index : index - toEnd]
  }

  /// Takes all values out.
  mutating func take() -> Latest<Value> {
    let all = self
    values = []
    head = 0
    return all
  }

  func discardAll() { for value in values { discard(value) } }
}

/// Keeps the latest values. Sends them at the completion, or passes each value that a new one pushes
/// out.
private final class LatestStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var latest: Latest<Value>
  private let takes: Bool

  init(_ downstream: Sink<Value>, _ count: Int, takes: Bool) {
    latest = Latest(count)
    self.takes = takes
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard let oldest = latest.push(value) else { return }
    if !takes { pass(oldest) }
    discard(oldest)
  }

  override func end(_ end: End) {
    guard takes, case .completed = end else { return pass(end: end) }
    let all = latest.take()
    for index in 0..<all.count where !takesNoMore { pass(all[index]) }
    all.discardAll()
    if !takesNoMore { pass(end: end) }
  }

  override func tearDown() { latest.take().discardAll() }
}
