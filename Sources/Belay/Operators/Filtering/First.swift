extension Signal {
  /// The first value, or the first for which `isWanted` returns true, then completed. None: the
  /// error `.notFound`.
  public final func first(
    where isWanted: ((Value) throws(Failure) -> Bool)? = nil
  ) -> Signal<Value> {
    lift("first") { FirstStage($0, 0, .fails(.notFound), isWanted) }
  }

  /// The first value for which `isWanted` returns true, if there is one, then completed.
  public final func find(_ isWanted: @escaping (Value) throws(Failure) -> Bool) -> Signal<Value> {
    lift("find") { FirstStage($0, 0, .completes, isWanted) }
  }

  /// The value at `index`, counted from 0, then completed. When there is none: the error `.range`.
  /// (output(at:) elsewhere.)
  public final func elementAt(_ index: Int) -> Signal<Value> {
    lift("element_at") { FirstStage($0, index, .fails(.range), nil) }
  }

  /// The value at `index`, or `fallback` when there is none, then completed.
  public final func elementAt(_ index: Int, default fallback: Value) -> Signal<Value> {
    elementAt(index, default: Kept(taking: fallback))
  }

  package final func elementAt(_ index: Int, default fallback: Kept<Value>) -> Signal<Value> {
    lift("element_at_or") { FirstStage($0, index, .sends(fallback), nil) }
  }
}

/// What happens at the end of a source that had not what was asked for.
private enum Otherwise<Value> {
  case completes
  case fails(Code)
  case sends(Kept<Value>)
}

private final class FirstStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var left: Int
  private let otherwise: Otherwise<Value>
  private let isWanted: ((Value) throws(Failure) -> Bool)?
  private var isFound = false

  init(
    _ downstream: Sink<Value>, _ index: Int, _ otherwise: Otherwise<Value>,
    _ isWanted: ((Value) throws(Failure) -> Bool)?
  ) {
    left = index
    self.otherwise = otherwise
    self.isWanted = isWanted
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if isFound { return }
    do throws(Failure) {
      if let isWanted {
        if try !isWanted(value) || isDisposed { return }
      }
      if left > 0 {
        left -= 1
        return
      }
      isFound = true
      pass(last: value)
    } catch {
      pass(end: .failed(error))
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
