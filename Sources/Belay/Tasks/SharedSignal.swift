/// A signal whose events arrive on their senders' threads, one at a time. So its values are
/// `Sendable`, and its closures are `@Sendable`.
///
/// It has those functions of a signal that are safe there. Operators come in by `chain`. An ordinary
/// signal, at home at one place, is `observe(on:)`.
public class SharedSignal<Value: Sendable>: @unchecked Sendable {
  // Its only property, which is Sendable itself. A class with subclasses must say `@unchecked`.
  package let signal: Signal<Value>

  init(_ signal: Signal<Value>) { self.signal = signal }

  /// Applies operators. `build` gets the signal and returns what it made of it. The closures of the
  /// operators capture only what `build` may capture: what is `Sendable`.
  ///
  /// ```swift
  /// let loud = words.chain { $0.filter { !$0.isEmpty }.map { $0.uppercased() } }
  /// ```
  public final func chain<Output: Sendable>(
    _ build: @Sendable (Signal<Value>) -> Signal<Output>
  ) -> SharedSignal<Output> {
    SharedSignal<Output>(build(signal))
  }

  /// The same events at the home of `scheduler`: a loop, an actor, the main actor. The result is an
  /// ordinary signal, whose closures run there. (A scheduler without a home, such as
  /// `ImmediateScheduler`, leaves the events on their senders' threads, which the compiler does not
  /// see.)
  public final func observe(
    on scheduler: Scheduler, _ options: QueueOptions = QueueOptions()
  ) -> Signal<Value> {
    signal.observe(on: scheduler, options)
  }

  /// Subscribes closures that are called on the senders' threads, one at a time. The subscription
  /// lives on when the result is dropped. It ends by its own end, by disposal, or with `owner`.
  @discardableResult
  public final func subscribe(
    owner: OwnerRecord? = nil, next: (@Sendable (Value) -> Void)? = nil,
    error: (@Sendable (Failure) -> Void)? = nil, completed: (@Sendable () -> Void)? = nil,
    disposed: (@Sendable () -> Void)? = nil
  ) -> Disposable {
    signal.subscribe(
      owner: owner, next: next, error: error, completed: completed, disposed: disposed)
  }

  // The methods to which these two forward have the same parameters.

  /// Subscribes closures that are called on `actor`, as `Signal.subscribe(isolatedTo:)` does.
  @discardableResult
  public final func subscribe<Isolation: Actor>(
    isolatedTo actor: isolated Isolation, _ options: QueueOptions = QueueOptions(),
    next: (@Sendable (isolated Isolation, Value) -> Void)? = nil,
    error: (@Sendable (isolated Isolation, Failure) -> Void)? = nil,
    completed: (@Sendable (isolated Isolation) -> Void)? = nil,
    disposed: (@Sendable () -> Void)? = nil
  ) -> Disposable {
    signal.subscribe(
      isolatedTo: actor, options, next: next, error: error, completed: completed,
      disposed: disposed)
  }

  /// Subscribes closures that are called on the main actor, as `Signal.subscribeOnMain` does.
  @discardableResult
  public final func subscribeOnMain(
    _ options: QueueOptions = QueueOptions(),
    next: (@MainActor (Value) -> Void)? = nil,
    error: (@MainActor (Failure) -> Void)? = nil,
    completed: (@MainActor () -> Void)? = nil,
    disposed: (@Sendable () -> Void)? = nil
  ) -> Disposable {
    signal.subscribeOnMain(
      options, next: next, error: error, completed: completed, disposed: disposed)
  }

  /// The values for `for try await`, as `Signal.values(_:on:isolation:)`.
  public final func values(
    _ options: QueueOptions = QueueOptions(), isolation: isolated (any Actor)? = #isolation
  ) -> AsyncValues<Value> {
    signal.values(options)
  }

  /// The same with a queue of 1024 values, after which the iteration fails with `.again`.
  public final var values: AsyncValues<Value> { signal.values }

  /// Waits for the first value, as `Signal.firstValue` does.
  public final func firstValue(
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value? {
    try await signal.firstValue()
  }

  /// Waits for the last value before the completion, as `Signal.lastValue` does.
  public final func lastValue(
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value? {
    try await signal.lastValue()
  }

  /// Waits for the only value, as `Signal.singleValue` does.
  public final func singleValue(
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value {
    try await signal.singleValue()
  }

  /// Waits for the completion, as `Signal.completion` does.
  public final func completion(isolation: isolated (any Actor)? = #isolation) async throws {
    try await signal.completion()
  }
}
