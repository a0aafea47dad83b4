/// What of a shared signal outlives the end of its source, or of its last subscription.
public struct ShareRules: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Who comes after an error gets what the subject replays and the error; else the source is
  /// subscribed anew.
  public static let keepsError = ShareRules(rawValue: 1)
  /// The same, for a completion.
  public static let keepsCompletion = ShareRules(rawValue: 2)
  /// The source stays subscribed when nobody listens any more.
  public static let keepsConnection = ShareRules(rawValue: 4)
}

/// One subscription to a shared source, the subject it feeds, and how many listen to that. It holds
/// no signal but the subject: who listens does not keep the source.
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

  /// Where to listen; nil when it is over, and the next one begins. `counting`: one more listens.
  func listen(counting: Bool) -> Subject<Value>? {
    lock.withLock {
      let isGoing = connection?.isClosed ?? false
      guard let subject, !isGoing || hasEnded else { return nil }
      if counting { count += 1 }
      return subject
    }
  }

  /// One listens no more, a part of `whole`; the last one ends the connection.
  func leave(_ whole: Disposable) {
    let unused = lock.withLock { () -> (ForwardSubscription<Value>, Subject<Value>?)? in
      count -= 1
      if count > 0 || hasEnded || rules.contains(.keepsConnection) { return nil }
      // Nobody else begins to listen to what is going.
      return connection.map { ($0, takeSubject()) }
    }
    if let connection = unused?.0 { Quiescence.dispose(connection, of: whole) }
  }

  /// Subscribes to `source`, once. Nothing when it is over, or nobody listens and `listened` asks
  /// for somebody.
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

  /// The source has ended; the subject is about to hear of it.
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

  /// The connection is torn down. Without an end of the source, those who still listen are
  /// interrupted, unless somebody else has the subject.
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
