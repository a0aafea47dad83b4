extension Signal {
  /// Sends true as soon as `isWanted` has returned true, or false when the source completes. Then
  /// completes. (contains(where:), exists in other libraries.)
  public final func any(
    _ isWanted: @escaping (Value) throws(ClosureError) -> Bool
  ) -> Signal<Bool> {
    predicate("any", true, { $0 }, isWanted)
  }

  /// The same as `any`.
  public final func contains(
    where isWanted: @escaping (Value) throws(ClosureError) -> Bool
  ) -> Signal<Bool> {
    predicate("contains", true, { $0 }, isWanted)
  }

  /// Sends false as soon as `isRight` has returned false, or true when the source completes. Then
  /// completes. (allSatisfy in other libraries.)
  public final func all(
    _ isRight: @escaping (Value) throws(ClosureError) -> Bool
  ) -> Signal<Bool> {
    predicate("all", false, { $0 }) { (value: Value) throws(ClosureError) -> Bool in
      try !isRight(value)
    }
  }

  /// Sends false at the first value, or true when the source completes without one. Then completes.
  public final func isEmpty() -> Signal<Bool> {
    predicate("is_empty", false, { $0 }) { _ in true }
  }

  /// Sends `answer` at the first value for which `decides` returns true, or the opposite when the
  /// source completes. Then completes.
  package final func predicate<Output>(
    _ operatorName: StaticString, _ answer: Bool, _ convert: @escaping (Bool) -> Output,
    _ decides: @escaping (Value) throws(ClosureError) -> Bool
  ) -> Signal<Output> {
    lift(operatorName) { PredicateStage($0, answer, convert, decides) }
  }
}

extension Signal where Value: Equatable {
  /// Sends true at the first value that equals `wanted`, or false when the source completes. Then
  /// completes.
  public final func contains(_ wanted: Value) -> Signal<Bool> { contains { $0 == wanted } }
}

/// Answers once, at a deciding value or at the completion.
private final class PredicateStage<Input, Output>: Stage<Input, Output>, @unchecked Sendable {
  private let answer: Bool
  private let convert: (Bool) -> Output
  private let decides: (Input) throws(ClosureError) -> Bool
  private var isDecided = false

  init(
    _ downstream: Sink<Output>, _ answer: Bool, _ convert: @escaping (Bool) -> Output,
    _ decides: @escaping (Input) throws(ClosureError) -> Bool
  ) {
    self.answer = answer
    self.convert = convert
    self.decides = decides
    super.init(downstream)
  }

  override func next(_ value: Input) {
    if isDecided { return }
    do throws(ClosureError) {
      if try !decides(value) || isDisposed { return }
      say(answer)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }

  override func end(_ end: End) {
    guard case .completed = end, !isDecided else { return pass(end: end) }
    say(!answer)
  }

  private func say(_ answer: Bool) {
    isDecided = true
    let output = convert(answer)
    pass(last: output)
    discard(output)
  }
}
