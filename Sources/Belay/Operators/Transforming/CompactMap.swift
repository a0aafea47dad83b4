extension Signal {
  /// Sends the result of `transform` for each value, unless it is nil. An error that it throws ends
  /// the signal. (filterMap in other libraries.)
  public final func compactMap<Output>(
    _ transform: @escaping (Value) throws(ClosureError) -> Output?
  ) -> Signal<Output> {
    lift("compact_map") { CompactMapStage($0, transform) }
  }

  /// Sends `value` instead of each value. (mapReplace, map(value:) in other libraries.)
  public final func mapTo<Output>(_ value: Output) -> Signal<Output> { mapTo(Kept(taking: value)) }

  package final func mapTo<Output>(_ kept: Kept<Output>) -> Signal<Output> {
    lift("map_to") {
      CompactMapStage($0) { (_: Value) throws(ClosureError) -> Output? in
        keep(kept.value)
        return kept.value
      }
    }
  }

  /// Sends each value with its number, counted from 0. (mapWithIndex in other libraries.)
  public final func enumerated() -> Signal<(index: Int, value: Value)> {
    enumerated { (index: $0, value: $1) }
  }

  /// `gather` borrows the value.
  package final func enumerated<Output>(
    gather: @escaping (Int, Value) -> Output
  ) -> Signal<Output> {
    lift("enumerated") {
      var count = 0
      return CompactMapStage($0) { (value: Value) throws(ClosureError) -> Output? in
        let index = count
        count += 1
        return gather(index, value)
      }
    }
  }
}

/// Sends the results of a closure that are not nil, and takes over their references.
final class CompactMapStage<Input, Output>: Stage<Input, Output>, @unchecked Sendable {
  private let transform: (Input) throws(ClosureError) -> Output?

  init(_ downstream: Sink<Output>, _ transform: @escaping (Input) throws(ClosureError) -> Output?) {
    self.transform = transform
    super.init(downstream)
  }

  override func next(_ value: Input) {
    do throws(ClosureError) {
      guard let output = try transform(value) else { return }
      pass(output)
      discard(output)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }
}
