import CBelayShim

/// Receives the events of a producer, for one subscription. It may be kept, and used on any thread.
/// Events that are sent on another thread are queued at the subscription's home.
///
/// When the last reference goes without an end, the subscription is interrupted.
public final class Subscriber<Value>: Entity, @unchecked Sendable {
  private let emitter: ColdEmitter<Value>

  init(_ emitter: consuming ColdEmitter<Value>) {
    self.emitter = emitter
    super.init()
    Live.subscribers.began()
  }

  deinit {
    // (A plain call would retain the emitter around it.)
    Unmanaged.passUnretained(emitter)._withUnsafeGuaranteedRef { $0.abandon() }
    Live.subscribers.ended()
  }

  @_spi(Engine) public override var valueKind: ValueKind { .subscriber }

  /// Sends a value. Look at the answer where other threads send: nothing else tells that a value was
  /// refused.
  ///
  /// - Returns: `.ok`; `.queued` when the value is delivered later; otherwise `.ended`, `.again` (a
  ///   queue is full), `.noHome` or `.canceled`, and the value is dropped.
  public func next(_ value: Value) -> Code { emitter.sendUnlessDeserted(value) }

  /// Sends a value like `next(_:)`. While the queue is full, the thread sleeps until there is room. It
  /// must not be one that runs tasks.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - timeout: nil: without limit.
  /// - Returns: as `next(_:)`; `.timedOut`; `.deadlock` if the queue is full and no other thread
  ///   could make room: at the subscription's home, on a thread that has a loop, in work of a pool, and
  ///   when the home's thread waits for this one.
  public func next(_ value: Value, waitingAtMost timeout: Duration?) -> Code {
    next(value, nanoseconds: timeout?.nanoseconds ?? -1)
  }

  package func next(_ value: Value, nanoseconds limit: Int64) -> Code {
    QueueRoom.wait(at: emitter.ownHome, atMost: limit) { next(value) }
  }

  /// Sends a value, for a caller that does not look at codes. When the queue is full, the
  /// subscription ends with that error. A value that cannot get to the subscription's thread is counted
  /// as lost. After the end it does nothing.
  public func send(_ value: Value) {
    let code = next(value)
    if code == .again { error(Failure(code)) }
    if code == .noHome { Lost.lose(self, code) }
  }

  /// Completes the subscription. This is never refused for lack of room.
  @discardableResult
  public func completed() -> Code { end(.completed) }

  /// Ends the subscription with an error. This is never refused for lack of room.
  @discardableResult
  public func error(_ failure: Failure) -> Code { end(.failed(failure)) }

  #if !hasFeature(Embedded)
    /// Ends the subscription with a Swift error, which a `Failure` carries as its `underlying`.
    @discardableResult
    public func error(_ error: any Error) -> Code { self.error(Failure.carrying(error)) }
  #endif

  /// Ends the subscription without an event, as the last release does.
  package func interrupt() { _ = end(.interrupted) }

  private func end(_ end: End) -> Code { emitter.sendUnlessDeserted(end) }

  /// Disposes of `disposable` when the subscription ends, as of the one that the producer returns.
  public func add(_ disposable: Disposable) { emitter.addTeardown(disposable) }

  /// The name of the subscription in a close's report; none on another thread than its home's.
  package var origin: Origin {
    emitter.ownHome.isCurrent ? emitter.receiver?.root.origin(or: emitter) ?? Origin() : Origin()
  }

  /// Whether what is sent from `source` comes to the subscription.
  package func isReached(from source: Home) -> Bool {
    emitter.ownHome.isReached(from: source)
  }

  /// Whether the subscription has ended, or an end is on its way to it.
  public var isDisposed: Bool {
    emitter.isClosed || emitter.isEnding || emitter.isDeserted
  }
}

/// The disposables of a producer, which end with the subscription. It is made when the producer
/// adds a second one, or at the end. A member that still runs then is a part of the subscription,
/// so that a wait for that waits for it, too.
private final class Teardown: CompoundCore, @unchecked Sendable {
  /// Stays to the end, also when it has ended before: it may still run.
  private let first: Disposable
  private var subscription: Link?

  private init(_ first: Disposable) {
    self.first = first
    super.init()
  }

  /// The teardown when `disposable` is added to `known`. One disposable stands for itself. (The first
  /// one is no member of what refers to it: they would retain each other.)
  static func adding(_ disposable: Disposable, to known: Entity?) -> Entity {
    guard let known else { return disposable }
    let all = made(of: known)
    if all.first !== disposable { all.add(disposable) }
    return all
  }

  private static func made(of known: Entity) -> Teardown {
    known as? Teardown ?? Teardown(unsafeDowncast(known, to: Disposable.self))
  }

  static func run(_ known: Entity, of subscription: Link) {
    let all = made(of: known)
    all.subscription = subscription
    NestedEnds.run(all)
  }

  override func receive(_ message: inout Message, isCanceled: Bool) {
    let subscription = subscription.unsafelyUnwrapped
    self.subscription = nil
    Quiescence.dispose(first, of: subscription)
    for part in dispose() { Quiescence.remember(part, of: subscription) }
  }
}

/// The source of one cold subscription. It ends its producer when its sink leaves.
final class ColdEmitter<Value>: Emitter<Value>, @unchecked Sendable {
  private let lock = AsymmetricLock()
  /// The teardown, which ends with the subscription. The lock protects it until this has been
  /// closed.
  private var teardown: Entity?
  /// The signal, if it must live until the teardown is over. The lock protects it, too.
  final var signal: CreateSignal<Value>?

  override var chainNameOfUnlabelled: Text { "create" }

  var receiver: Sink<Value>? {
    sinks.count == 0 ? nil : sinks[sinks.start].takeUnretainedValue()
  }

  func addTeardown(_ disposable: Disposable) {
    let late = lock.withLock { () -> Bool in
      if isClosed { return true }
      teardown = Teardown.adding(disposable, to: teardown)
      return false
    }
    if late { disposable.dispose() }
  }

  /// `send` for a source with one subscription. Answers `.ended` when that has been closed, also
  /// when it was disposed of elsewhere and the message has not arrived yet.
  final func sendUnlessDeserted(_ value: Value) -> Code {
    if isClosed { return .ended }
    guard let record = recordIfReady else { return isDeserted ? .ended : sendSlowly(value) }
    let visit = beginVisit(in: record)
    let isDeserted = visit.isOpen && areSinksClosed
    if visit.isOpen && !isDeserted { deliver(value) }
    let code = endVisit(visit)
    return isDeserted ? .ended : code
  }

  final func sendUnlessDeserted(_ end: End) -> Code {
    if isClosed { return .ended }
    guard let record = recordIfReady, !belay_shim_is_deep(record) else {
      return isDeserted ? .ended : send(end)
    }
    let visit = beginVisit(in: record)
    let isDeserted = visit.isOpen && areSinksClosed
    if visit.isOpen && !isDeserted { sendEnd(end) }
    let code = endVisitSlowly(visit)
    return isDeserted ? .ended : code
  }

  override func left(_ link: Link) {
    guard lock.withLock({ close() }) else { return }
    // From now on `teardown` and `signal` belong to this thread.
    if let teardown {
      Teardown.run(teardown, of: unsafeDowncast(link, to: Sink<Value>.self).root)
    }
    teardown = nil
    signal = nil
  }
}
