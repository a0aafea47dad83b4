extension Signal {
  /// Sends the number of values when the source has completed.
  public final func count() -> Signal<Int> {
    statistic("count", 0, { (count: inout Int, _) in count += 1 }, { $0 })
  }

  /// Updates a state with each value, beginning with `initial`. When the source has completed,
  /// sends the `result` of the state, if it is not nil. `step` must not call the host's code. An
  /// error that it throws ends the signal.
  package final func statistic<State, Output>(
    _ operatorName: StaticString, _ initial: State,
    _ step: @escaping (inout State, Value) throws(ClosureError) -> Void,
    _ result: @escaping (State) -> Output?
  ) -> Signal<Output> {
    lift(operatorName) { StatisticStage($0, initial, step, result) }
  }
}

extension Signal where Value: FixedWidthInteger {
  /// Sends the sum when the source has completed; 0 if there were no values. An overflow is the
  /// error `.range`.
  public final func sum() -> Signal<Value> {
    statistic("sum", 0 as Value, add, { $0 })
  }

  /// Sends the mean when the source has completed; nothing if there were no values.
  public final func average() -> Signal<Double> {
    statistic(
      "average", Mean<Double>(), { (mean: inout Mean<Double>, value) in mean.add(Double(value)) },
      { $0.result })
  }
}

extension Signal where Value: FloatingPoint {
  /// Sends the sum when the source has completed; 0 if there were no values.
  public final func sum() -> Signal<Value> {
    statistic("sum", 0 as Value, { (sum: inout Value, value) in sum += value }, { $0 })
  }

  /// Sends the mean when the source has completed; nothing if there were no values.
  public final func average() -> Signal<Value> {
    statistic(
      "average", Mean<Value>(), { (mean: inout Mean<Value>, value) in mean.add(value) },
      { $0.result })
  }
}

/// Adds `value` to `sum`. Throws `.range` on an overflow.
package func add<Number: FixedWidthInteger>(_ sum: inout Number, _ value: Number) throws(Failure) {
  let (result, overflow) = sum.addingReportingOverflow(value)
  if overflow { throw Failure(.range, message: "the sum is out of range") }
  sum = result
}

/// Computes a mean from the sum and the number of values.
package struct Mean<Number: FloatingPoint> {
  private var sum: Number = 0
  private var count = 0

  package init() {}

  package mutating func add(_ value: Number) {
    sum += value
    count += 1
  }

  package var result: Number? { count == 0 ? nil : sum / Number(count) }
}

/// Keeps a state, and sends its result at the completion.
private final class StatisticStage<Input, State, Output>: Stage<Input, Output>, @unchecked Sendable
{
  private var state: State
  private let step: (inout State, Input) throws(ClosureError) -> Void
  private let result: (State) -> Output?

  init(
    _ downstream: Sink<Output>, _ initial: State,
    _ step: @escaping (inout State, Input) throws(ClosureError) -> Void,
    _ result: @escaping (State) -> Output?
  ) {
    state = initial
    self.step = step
    self.result = result
    super.init(downstream)
  }

  override func next(_ value: Input) {
    do throws(ClosureError) {
      try step(&state, value)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }

  override func end(_ end: End) {
    guard case .completed = end, let output = result(state) else { return pass(end: end) }
    pass(last: output)
    discard(output)
  }
}
