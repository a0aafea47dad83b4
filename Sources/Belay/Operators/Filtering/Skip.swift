extension Signal {
  /// Drops the first `count` values. (dropFirst in other libraries.)
  public final func skip(_ count: Int) -> Signal<Value> {
    lift("skip") { SkipStage($0, count) }
  }

  /// Drops values until `isDropped` returns false for the first time. Passes that value and all
  /// later ones without calling it again. An error that it throws ends the signal. (drop(while:) in
  /// other libraries.)
  public final func skipWhile(
    _ isDropped: @escaping (Value) throws(ClosureError) -> Bool
  ) -> Signal<Value> {
    lift("skip_while") { SkipWhileStage($0, isDropped) }
  }
}

/// Counts the values that it drops.
private final class SkipStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var left: Int

  init(_ downstream: Sink<Value>, _ count: Int) {
    left = count
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if left <= 0 { return pass(value) }
    left -= 1
  }
}

/// Drops values until its closure has returned false once.
private final class SkipWhileStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var isOpen = false
  private let isDropped: (Value) throws(ClosureError) -> Bool

  init(_ downstream: Sink<Value>, _ isDropped: @escaping (Value) throws(ClosureError) -> Bool) {
    self.isDropped = isDropped
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if isOpen { return pass(value) }
    do throws(ClosureError) {
      if try isDropped(value) || isDisposed { return }
      isOpen = true
      pass(value)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }
}
