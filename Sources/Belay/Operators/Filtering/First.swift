extension Signal {
  /// Sends the first value, or the first one for which `isWanted` returns true, then completes.
  /// Without such a value, fails with `.notFound`.
  public final func first(
    where isWanted: ((Value) throws(ClosureError) -> Bool)? = nil
  ) -> Signal<Value> {
    lift("first") { FirstStage($0, 0, .fails(.notFound), isWanted) }
  }

  /// Sends the first value for which `isWanted` returns true, if there is one, then completes.
  public final func find(_ isWanted: @escaping (Value) throws(ClosureError) -> Bool) -> Signal<
    Value
  > {
    lift("find") { FirstStage($0, 0, .completes, isWanted) }
  }

  /// Sends the value at `index`, counted from 0, then completes. Without such a value, as with an index
  /// below 0, fails with `.range`. (output(at:) in Combine.)
  public final func elementAt(_ index: Int) -> Signal<Value> {
    lift("element_at") { FirstStage($0, index, .fails(.range), nil) }
  }

  /// Sends the value at `index`, or `fallback` if there is none, then completes.
  public final func elementAt(_ index: Int, default fallback: Value) -> Signal<Value> {
    elementAt(index, default: Kept(taking: fallback))
  }

  package final func elementAt(_ index: Int, default fallback: Kept<Value>) -> Signal<Value> {
    lift("element_at_or") { FirstStage($0, index, .sends(fallback), nil) }
  }
}

/// The end of the stage if the source completes without the wanted value.
private enum Otherwise<Value> {
  case completes
  case fails(Code)
  case sends(Kept<Value>)
}

/// Counts the wanted values, and completes at the one that was asked for.
private final class FirstStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  /// How many wanted values come first; with a negative number, the one that was asked for never comes.
  private var left: Int
  private let otherwise: Otherwise<Value>
  private let isWanted: ((Value) throws(ClosureError) -> Bool)?
  private var isFound = false

  init(
    _ downstream: Sink<Value>, _ index: Int, _ otherwise: Otherwise<Value>,
    _ isWanted: ((Value) throws(ClosureError) -> Bool)?
  ) {
    left = index
    self.otherwise = otherwise
    self.isWanted = isWanted
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if isFound { return }
    do throws(ClosureError) {
      if let isWanted {
        if try !isWanted(value) || isDisposed { return }
      }
      if left != 0 {
        left &-= 1
        return
      }
      isFound = true
      pass(last: value)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }

  override func end(_ end: End) {
    guard case .completed = end, !isFound else { return pass(end: end) }
    switch otherwise {
    case .completes: pass(end: end)
    case .fails(let code): pass(end: .failed(Failure(code)))
    case .sends(let fallback): pass(last: fallback.value)
    }
  }
}
