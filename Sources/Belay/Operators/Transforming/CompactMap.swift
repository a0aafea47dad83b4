extension Signal {
  /// Each value becomes what `transform` returns, or nothing for nil; what it throws ends the
  /// signal. (filterMap elsewhere.)
  public final func compactMap<Output>(
    _ transform: @escaping (Value) throws(Failure) -> Output?
  ) -> Signal<Output> {
    lift("compact_map") { CompactMapStage($0, transform) }
  }

  /// `value` in the place of each value. (mapReplace, map(value:) elsewhere.)
  public final func mapTo<Output>(_ value: Output) -> Signal<Output> { mapTo(Kept(taking: value)) }

  package final func mapTo<Output>(_ kept: Kept<Output>) -> Signal<Output> {
    lift("map_to") {
      CompactMapStage($0) { (_: Value) throws(Failure) -> Output? in
        keep(kept.value)
        return kept.value
      }
    }
  }

  /// Each value with its number, from 0 on. (mapWithIndex elsewhere.)
  public final func enumerated() -> Signal<(index: Int, value: Value)> {
    enumerated { (index: $0, value: $1) }
  }

  /// `gather` borrows the value.
  package final func enumerated<Output>(
    gather: @escaping (Int, Value) -> Output
  ) -> Signal<Output> {
    lift("enumerated") {
      var count = 0
      return CompactMapStage($0) { (value: Value) throws(Failure) -> Output? in
        let index = count
        count += 1
        return gather(index, value)
      }
    }
  }
}

/// Each value becomes what a closure returns, which is given away, or nothing.
final class CompactMapStage<Input, Output>: Stage<Input, Output>, @unchecked Sendable {
  private let transform: (Input) throws(Failure) -> Output?

  init(_ downstream: Sink<Output>, _ transform: @escaping (Input) throws(Failure) -> Output?) {
    self.transform = transform
    super.init(downstream)
  }

  override func next(_ value: Input) {
    do throws(Failure) {
      guard let output = try transform(value) else { return }
      pass(output)
      discard(output)
    } catch {
      pass(end: .failed(error))
    }
  }
}
