/// A subject that any thread and any task may send into at once. A send delivers on the sender's
/// thread, unless another thread is delivering; then that thread delivers the value, too.
///
/// When the last reference goes, also of the signals made of it, its subscriptions are interrupted.
public final class SharedSubject<Value: Sendable>: SharedSignal<Value>, @unchecked Sendable {
  /// The earlier events that a new subscriber gets.
  public enum Memory: Sendable {
    /// Nothing, as with `PublishSubject`.
    case nothing
    /// The current value, which is this one at first, as with `BehaviorSubject`.
    case current(Value)
    /// The values that were sent last, as with `ReplaySubject`; nil: all of them.
    case replay(count: Int?)
    /// The last value, which is sent at the completion, as with `AsyncSubject`.
    case last
  }

  private let subject: Subject<Value>

  /// - Parameters:
  ///   - memory: what a new subscriber gets of the events before it came.
  ///   - options: the label, the bound of what waits during a delivery, and the rule for a value
  ///     sent from inside a delivery. A `home` is ignored.
  public init(_ memory: Memory = .nothing, _ options: SourceOptions = SourceOptions()) {
    var options = options
    options.home = nil
    options.isShared = true
    subject =
      switch memory {
      case .nothing: PublishSubject(options)
      case .current(let initial): BehaviorSubject(initial, options)
      case .replay(let count): ReplaySubject(count: count, options)
      case .last: AsyncSubject(options)
      }
    super.init(subject)
  }

  /// Sends a value. Look at the answer, for nothing else tells that the value was refused; or call
  /// `send`.
  ///
  /// - Returns: `.ok` when all subscribers have been called; `.queued` when another thread, or the
  ///   delivery in progress, delivers the value; otherwise `.ended`, `.again` (too many values wait)
  ///   or `.reentrant`, and the value is dropped.
  public func next(_ value: Value) -> Code { subject.next(value) }

  /// Sends several values as one batch, otherwise like `next`.
  ///
  /// - Returns: the code of the first value that was refused, after which the others are dropped;
  ///   otherwise the code of the last value.
  public func next(contentsOf values: some Sequence<Value>) -> Code {
    subject.next(contentsOf: values)
  }

  /// Sends a value, for a caller that does not look at codes. If it is refused, the subject ends
  /// with that error, so that no subscriber misses a value unknowingly. After the end it does
  /// nothing.
  public func send(_ value: Value) { subject.pass(value) }

  /// Completes the subject. This is never refused for lack of room; `.ended`: it had ended.
  @discardableResult
  public func completed() -> Code { subject.completed() }

  /// Ends the subject with an error. This is never refused for lack of room; `.ended`: it had ended.
  @discardableResult
  public func error(_ failure: Failure) -> Code { subject.error(failure) }

  /// Ends the subject with a Swift error, which a `Failure` carries as its `underlying`.
  @discardableResult
  public func error(_ error: any Error) -> Code { subject.error(error) }

  /// The current value, if it has one (`Memory.current`). Any thread may read it.
  public var value: Value? { (subject as? BehaviorSubject)?.value }

  /// The number of subscribers, which other threads may be changing.
  public var subscriberCount: Int { subject.subscriberCount }
}
