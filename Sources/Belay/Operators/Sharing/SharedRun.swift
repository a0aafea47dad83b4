/// What a shared signal keeps after the end of its source, or without subscriptions.
public struct ShareRules: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Subscribers that come after an error get the subject's replay and the error. Otherwise they
  /// begin a new subscription to the source.
  public static let keepsError = ShareRules(rawValue: 1)
  /// The same for a completion.
  public static let keepsCompletion = ShareRules(rawValue: 2)
  /// The subscription to the source continues without subscribers.
  public static let keepsConnection = ShareRules(rawValue: 4)
}

/// One subscription to a shared source, with the subject that it feeds, and the number of that
/// subject's subscribers. It retains no signal but the subject, so subscribers do not retain the
/// source.
final class SharedRun<Value>: @unchecked Sendable {
  private let lock = Lock()
  private let rules: ShareRules
  private var subject: Subject<Value>?
  private var connection: ForwardSubscription<Value>?
  private var count = 0
  private var hasEnded = false

  init(_ subject: Subject<Value>, _ rules: ShareRules) {
    self.subject = subject
    self.rules = rules
  }

  /// The subject to subscribe to; nil when the run is over, and the next one must begin. With
  /// `counting`, counts one more subscriber.
  func listen(counting: Bool) -> Subject<Value>? {
    lock.withLock {
      let isGoing = connection?.isClosed ?? false
      guard let subject, !isGoing || hasEnded else { return nil }
      if counting { count += 1 }
      return subject
    }
  }

  /// Counts one subscriber less, which was a part of `whole`. The last one ends the connection.
  func leave(_ whole: Disposable) {
    let unused = lock.withLock { () -> (ForwardSubscription<Value>, Subject<Value>?)? in
      count -= 1
      if count > 0 || hasEnded || rules.contains(.keepsConnection) { return nil }
      // From now on the run has no new subscribers.
      return connection.map { ($0, takeSubject()) }
    }
    if let connection = unused?.0 { Quiescence.dispose(connection, of: whole) }
  }

  /// Subscribes to `source`, once. Does nothing if the run is over, or if `listened` and there is
  /// no subscriber left.
  func connect(_ source: Signal<Value>, listened: Bool) -> (code: Code, connection: Disposable?) {
    var made: ForwardSubscription<Value>?
    var target: Subject<Value>?
    let known = lock.withLock { () -> ForwardSubscription<Value>? in
      if let connection { return connection }
      guard let subject, !hasEnded, !listened || count > 0 else { return nil }
      target = subject
      made = ForwardSubscription(at: subject.emitter.ownHome, for: self)
      connection = made
      return nil
    }
    guard let made, let target else { return (.ok, known) }
    let home = made.fixedHome.unsafelyUnwrapped.takeUnretainedValue()
    let code = source.lift("connect") { ForwardStage($0, to: target, for: self) }
      .start(made, owner: nil, at: home)
    if code.isFailure {
      sourceEnded(.failed(Failure(code)))
      connectionEnded()
      _ = target.emit(.failed(Failure(code)))
    }
    return (code, made)
  }

  /// Called when the source has ended, before the subject gets the end.
  func sourceEnded(_ end: End) {
    let dropped = lock.withLock { () -> Subject<Value>? in
      if hasEnded { return nil }
      hasEnded = true
      switch end {
      case .completed where rules.contains(.keepsCompletion): return nil
      case .failed where rules.contains(.keepsError): return nil
      default: return takeSubject()
      }
    }
    extendLifetime(dropped)  // released outside the lock
  }

  /// Called when the connection is torn down. Without an end of the source, the remaining
  /// subscribers are interrupted, unless another reference keeps the subject alive.
  func connectionEnded() {
    let dropped = lock.withLock { () -> (Subject<Value>?, ForwardSubscription<Value>?) in
      let connection = connection
      self.connection = nil
      return (hasEnded ? nil : takeSubject(), connection)
    }
    _ = dropped
  }

  private func takeSubject() -> Subject<Value>? {
    defer { subject = nil }
    return subject
  }
}
