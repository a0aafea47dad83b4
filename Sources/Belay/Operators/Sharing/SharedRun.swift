/// Tells what a shared signal keeps after the end of its source, or without subscriptions.
public struct ShareRules: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Subscribers that come after an error get the subject's replay and the error. Otherwise they
  /// begin a new subscription to the source.
  public static let keepsError = ShareRules(rawValue: 1)
  /// The same for a completion.
  public static let keepsCompletion = ShareRules(rawValue: 2)
  /// The subscription to the source continues without subscribers: until the source ends, or the
  /// loop closes at which it began, even if the shared signal has gone. Meanwhile an error that is
  /// not kept goes to the `UnhandledErrorHook`.
  public static let keepsConnection = ShareRules(rawValue: 4)
  /// The subject stays for all runs, and keeps its end.
  static let keepsSubject = ShareRules(rawValue: 8)
}

/// Signals that end what a shared signal keeps, each by its first value. Each is subscribed to when
/// there is something to keep. Its completion changes nothing. Where no signal is given, nothing is
/// kept.
public final class ShareResets: @unchecked Sendable {
  fileprivate let error: Signal<BoolValue>?
  fileprivate let completion: Signal<BoolValue>?
  fileprivate let unused: Signal<BoolValue>?

  private init(
    _ error: Signal<BoolValue>?, _ completion: Signal<BoolValue>?, _ unused: Signal<BoolValue>?
  ) {
    self.error = error
    self.completion = completion
    self.unused = unused
  }

  /// Nothing is kept.
  public convenience init() { self.init(nil, nil, nil) }

  /// Subscribers that come after an error get the error, until `signal` sends a value.
  public func error<Other>(_ signal: Signal<Other>) -> ShareResets {
    ShareResets(Self.first(signal), completion, unused)
  }

  /// Subscribers that come after the completion get the completion, until `signal` sends a value.
  public func completion<Other>(_ signal: Signal<Other>) -> ShareResets {
    ShareResets(error, Self.first(signal), unused)
  }

  /// The subscription to the source continues without subscribers, until `signal` sends a value. A
  /// subscriber that comes before disposes of `signal`.
  public func unused<Other>(_ signal: Signal<Other>) -> ShareResets {
    ShareResets(error, completion, Self.first(signal))
  }

  var rules: ShareRules {
    var rules: ShareRules = []
    if error != nil { rules.insert(.keepsError) }
    if completion != nil { rules.insert(.keepsCompletion) }
    if unused != nil { rules.insert(.keepsConnection) }
    return rules
  }

  private static func first<Other>(_ signal: Signal<Other>) -> Signal<BoolValue> {
    signal.take(1).mapTo(true.ownValue)
  }
}

/// One subscription to a shared source, with the subject that it feeds, and the number of that
/// subject's subscribers. It retains no signal but the subject, so subscribers do not retain the
/// source.
final class SharedRun<Value>: @unchecked Sendable {
  private let lock = Lock()
  private var rules: ShareRules
  private var subject: Subject<Value>?
  private var connection: ForwardSubscription<Value>?
  private var count = 0
  private var hasEnded = false
  /// Whether the source has failed while nobody was subscribed, and nobody later gets the error.
  private(set) var hasUnheardError = false
  /// Nil when the shared signal has gone: the resets may be made of its source, which subscriptions must
  /// not retain.
  private var resets: ShareResets?
  /// The subscription to the signal that will reset the run, and how many there have been.
  private var reset: ClosureSubscription<BoolValue>?
  private var resetCount = 0
  /// Whether nobody can subscribe any more.
  private var isAbandoned = false

  init(_ subject: Subject<Value>, _ rules: ShareRules, _ resets: ShareResets?) {
    self.subject = subject
    self.rules = rules
    self.resets = resets
  }

  /// The subject to subscribe to; nil when the run is over, and the next one must begin. With
  /// `counting`, counts one more subscriber. The caller, which holds a lock of its own, disposes of
  /// `late` outside that lock.
  func listen(counting: Bool, _ late: inout Disposable?) -> Subject<Value>? {
    lock.withLock {
      let isGoing = connection?.isClosed ?? false
      guard let subject, !isGoing || hasEnded, !subject.emitter.ownHome.isOver else {
        return nil
      }
      if counting {
        count += 1
        if !hasEnded { late = takeReset() }
      }
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
    if let signal = lock.withLock({ resets })?.unused {
      waitForReset(by: signal, afterEnd: false)
    }
  }

  /// Has the first value of `signal` reset the run, if it still has ended, or has no subscribers.
  private func waitForReset(by signal: Signal<BoolValue>, afterEnd: Bool) {
    var made: ClosureSubscription<BoolValue>?
    let number = lock.withLock { () -> Int in
      guard let subject, hasEnded == afterEnd, afterEnd ? !isAbandoned : count == 0,
        reset == nil  // of another thread, whose subscriber came and went meanwhile
      else { return 0 }
      resetCount += 1
      let number = resetCount
      made = ClosureSubscription(
        { _ in self.doReset(number) }, nil, nil, nil, subject.emitter.ownHome)
      reset = made
      return number
    }
    guard let made else { return }
    let home = made.fixedHome.unsafelyUnwrapped.takeUnretainedValue()
    if signal.start(made, owner: nil, at: home).isFailure { doReset(number) }
  }

  private func doReset(_ number: Int) {
    let dropped = lock.withLock { () -> (Subject<Value>?, Disposable?, Disposable?)? in
      guard reset != nil, number == resetCount else { return nil }
      return (takeSubject(), hasEnded ? nil : connection, takeReset())
    }
    dropped?.1?.dispose()
  }

  /// Called when the shared signal has gone, so that nobody can subscribe any more. A reset that has been
  /// subscribed to still ends the connection; otherwise that ends with its last subscriber.
  func sharedSignalWent() {
    let (dropped, late) = lock.withLock { () -> (ShareResets?, Disposable?) in
      isAbandoned = true
      let dropped = resets
      resets = nil
      if dropped != nil && count > 0 { rules.remove(.keepsConnection) }
      return (dropped, hasEnded ? takeReset() : nil)
    }
    late?.dispose()
    extendLifetime(dropped)  // released outside the lock
  }

  private func takeReset() -> Disposable? {
    defer { reset = nil }
    return reset
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
    var late: Disposable?
    var next: Signal<BoolValue>?
    let dropped = lock.withLock { () -> Subject<Value>? in
      if hasEnded { return nil }
      hasEnded = true
      late = takeReset()
      switch end {
      case .completed where rules.contains(.keepsCompletion): next = resets?.completion
      case .failed where rules.contains(.keepsError): next = resets?.error
      case .failed where !rules.contains(.keepsSubject):
        // Those that are counted may be on their way from another loop.
        hasUnheardError = count == 0 && subject?.emitter.sinkCount == 0
        return takeSubject()
      default: return takeSubject()
      }
      return nil
    }
    late?.dispose()
    if let next { waitForReset(by: next, afterEnd: true) }
    extendLifetime(dropped)  // released outside the lock
  }

  /// Called when the connection is torn down. Without an end of the source, the remaining
  /// subscribers are interrupted, unless another reference keeps the subject alive.
  func connectionEnded() {
    let dropped = lock.withLock {
      () -> (Subject<Value>?, Disposable?, ForwardSubscription<Value>?) in
      let connection = connection
      self.connection = nil
      return hasEnded ? (nil, nil, connection) : (takeSubject(), takeReset(), connection)
    }
    dropped.1?.dispose()
  }

  private func takeSubject() -> Subject<Value>? {
    defer { subject = nil }
    return subject
  }
}
