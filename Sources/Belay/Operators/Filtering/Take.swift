extension Signal {
  /// Passes the first `count` values. After the last of them it completes, which disposes of the
  /// source's subscription. With a count of 0 it completes at once, without subscribing.
  public final func take(_ count: Int) -> Signal<Value> {
    count <= 0 ? .empty() : lift("take") { TakeStage($0, count) }
  }
}

/// Counts the values that it still passes.
private final class TakeStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var left: Int

  init(_ downstream: Sink<Value>, _ count: Int) {
    left = count
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if left == 0 { return }
    left -= 1
    if left == 0 { pass(last: value) } else { pass(value) }
  }
}
