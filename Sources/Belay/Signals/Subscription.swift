import CBelayShim

/// The lower end of a subscription: what calls the subscriber, what ends it, and the handle to it,
/// in one object.
///
/// Subclasses say what is called; this class says when.
open class Subscription<Value>: Sink<Value>, @unchecked Sendable {
  public override init() {
    super.init()
    Live.subscriptions.began()
  }

  // MARK: What is called

  open func onError(_ failure: Failure) -> Bool { false }
  open func onCompleted() {}
  open func onDisposed() {}
  /// Frees the subscriber's context; nothing is called after.
  open func freeContext() {}
  /// Its home; nil for that of the source that it hangs on directly (`Signal.hangsDirectly`).
  /// Unmanaged, for a copy would be counted each time that one asks.
  open var fixedHome: Unmanaged<Home>? { nil }

  package final override var home: Home? { fixedHome?.takeUnretainedValue() ?? upstream?.home }

  // MARK: A terminal event

  package final override func deliverEnd(_ end: End) {
    let delivery = beginDelivery()
    if delivery.isOpen { self.end(end) }
    endDelivery(delivery)
  }

  public final override func end(_ end: End) {
    // Whoever closes it tears it down, too: at home, or where home has closed.
    guard lifecycle.claim(.closed, with: .tearingDown, isAtHome ? [] : .deferred) != nil else {
      return
    }
    let isInterruption: Bool
    if case .interrupted = end { isInterruption = true } else { isInterruption = false }
    // Without an event it is like a disposal, from the source on.
    if isInterruption { unsubscribe(afterEnd: false) }
    switch end {
    case .completed: onCompleted()
    case .failed(let failure):
      if !onError(failure) {
        UnhandledErrorHook.report(failure, signal: chainName, site: origin.site, home: home)
      }
    case .interrupted: break
    }
    onDisposed()
    if !isInterruption { unsubscribe(afterEnd: true) }
    _ = lifecycle.claim(.tornDown)
    // Freed by whoever delivered this, when it leaves.
    Delivery.noteHere()
  }

  /// A stage above and this hold each other. A source does not hold what has left it, and tells its
  /// home to whoever asks for it, on any thread, as long as this lives.
  private final func forgetUpstream() { if fixedHome != nil { upstream = nil } }

  // MARK: Disposal

  @_optimize(speed)
  package final override func dispose(noting quiescence: Quiescence?) {
    if isClosed {
      // Somebody sees to it.
    } else if isAtHome {
      disposeAtHome()
    } else {
      disposeElsewhere()
    }
    quiescence?.note(self)
  }

  /// Whether this is the home's thread. (Elsewhere the answer may be old, but is never yes.)
  @inline(__always)
  private final var isAtHome: Bool {
    if life.has(.direct) { return withEmitter(of: Value.self) { $0.ownHome.isCurrent } }
    return fixedHome?._withUnsafeGuaranteedRef { $0.isCurrent } ?? isHere
  }

  /// The usual way: no other thread is inside.
  @_optimize(speed)
  private final func disposeAtHome() {
    let record = Thread.record
    let address = Unmanaged.passUnretained(self).toOpaque()
    if belay_shim_calls(record, address) { return disposeInPart() }
    // Counts as running, so that nobody takes it for quiescent before its context is freed. The other
    // place is the source's.
    if !belay_shim_has_places(record) { belay_shim_add_places(record) }
    let place = belay_shim_enter_two(record)
    belay_shim_publish(record, place, address)
    guard let before = lifecycle.claim(.closed, with: .all, unless: .starting) else {
      endDeliveryVisibly(record, place)
      return disposeInPart()
    }
    if before.has(.direct) {
      let inner = CallPlace(record: record, index: place &+ 1)
      withEmitter(of: Value.self) { $0.detachHere(self, at: inner) }
    } else {
      unsubscribe(afterEnd: false)
    }
    onDisposed()
    if !before.has(.direct) { forgetUpstream() }
    freeContext()
    Live.subscriptions.ended()
    if before.hasAny(of: [.member, .memberOfMore]) && !isOnlyInEmptied(before) {
      leaveContainers(before)
    }
    _ = belay_shim_end_delivery(record, place)
    if life.has(.awaited) { Quiescence.settle(self) }
  }

  @inline(__always)
  private final func publish(in record: UnsafeMutablePointer<belay_thread>) -> UInt32 {
    let place = belay_shim_begin_delivery(record)
    belay_shim_publish(record, place, Unmanaged.passUnretained(self).toOpaque())
    return place
  }

  /// At home, when the rest is somebody else's: of the delivery that this is called from, or of the
  /// thread that is starting it.
  private final func disposeInPart() { if close() { finishAtHome() } }

  /// At home, after it was closed.
  private final func finishAtHome() {
    if life.has(.starting) {
      // Whoever starts it finds it closed, and sends it home again.
    } else if Delivery.isHere(in: self) {
      tearDown()
      Delivery.noteHere()
    } else {
      finish()
    }
  }

  private final func disposeElsewhere() {
    // Read before another thread may let go of it.
    guard let home, home.acceptsMessages else {
      if lifecycle.claim(.closed, with: [], .deferred) != nil { finishUnlessRunning() }
      return
    }
    if close() { sendHome(home) }
  }

  private final func sendHome(_ home: Home) {
    // What becomes of one that is refused is told by `receive`.
    _ = home.post(Message(to: self, .dispose), reserved: true)
  }

  /// Disposed elsewhere; the message has come home, or is opened before by a thread that waits for
  /// this (`Quiescence`), or home has closed.
  public final override func receive(_ message: inout Message, isCanceled: Bool) {
    if !isCanceled {
      if isClosed && isAtHome { finishAtHome() }
      return
    }
    _ = lifecycle.set(.deferred)
    finishUnlessRunning()
  }

  /// Without a way home: here if no thread is inside, else on the thread that leaves last.
  private final func finishUnlessRunning() {
    Delivery.noteEverywhere()
    if !Delivery.isAnywhere(in: self) { finish() }
  }

  /// Tears down, for whoever claims it first, and frees. Nobody is inside.
  private final func finish() {
    // Counts as running: whoever waits finds this thread in it.
    let record = Thread.record
    let place = publish(in: record)
    tearDown()
    endDeliveryVisibly(record, place)
  }

  private final func tearDown() {
    guard lifecycle.claim(.tearingDown) != nil else { return }
    unsubscribe(afterEnd: false)
    onDisposed()
    _ = lifecycle.claim(.tornDown)
  }

  package final override func leftAfterClose() {
    let life = life
    // At home nobody else can be inside; and what was closed at home is home's to free.
    let isLast =
      life.has(.deferred)
      ? !Delivery.isAnywhere(in: self) : isAtHome && !Delivery.isHere(in: self)
    if isLast {
      if life.has(.tornDown) {
        free()
      } else if life.has(.deferred) && !life.has(.tearingDown) {
        finish()
      }
    }
    if life.has(.awaited) { Quiescence.settle(self) }
  }

  private final func free() {
    guard lifecycle.claim(.freeing) != nil else { return }
    let record = Thread.record
    let place = publish(in: record)
    forgetUpstream()
    freeContext()
    Live.subscriptions.ended()
    _ = belay_shim_end_delivery(record, place)
    finalise()
  }

  package final override func isQuiescent(_ level: Quiescence.Level) -> Bool {
    let life = life
    if Delivery.isAnywhere(in: self) { return false }
    return level == .idle && !life.has(.freeing) || life.has(.finalised)
  }

  // MARK: Starting

  /// Connects this, by its uppermost part, to `signal`. Starting counts as running for other threads:
  /// whoever disposes of it there meanwhile leaves the rest to this one. A start that fails calls
  /// nothing: what was hung is torn down, and the context freed.
  ///
  /// - Parameter failsAsEvent: whoever subscribed was told that it began.
  final func start(
    _ signal: Signal<Value>, by sink: Sink<Value>? = nil, at home: Home, failsAsEvent: Bool = false
  ) -> Code {
    let isElsewhere = !isAtHome
    if isElsewhere { _ = lifecycle.set(.starting) }
    let delivery = beginDelivery(isStart: true)
    var code = Code.ok
    if delivery.isOpen {
      // Not before: whoever has closed this would not have let go of it.
      if let sink, sink !== self { upstream = sink }
      code = signal.connect(sink ?? self, at: home)
    }
    if failsAsEvent && code.isFailure {
      deliverEnd(.failed(Failure(code)))
      code = .ok
    }
    let isOurs = code.isFailure && lifecycle.claim(.closed, with: .tearingDown) != nil
    if isOurs { undoStart() }
    let wasClosed = isElsewhere && lifecycle.clear(.starting).has(.closed)
    endDelivery(delivery)
    if isOurs {
      free()
    } else if wasClosed, let home = self.home {
      sendHome(home)
    }
    // Somebody who has closed it meanwhile sees it through, to its context: then it began.
    return code.isFailure && !isOurs ? .ok : code
  }

  private final func undoStart() {
    unsubscribe(afterEnd: false)
    _ = lifecycle.claim(.tornDown)
  }

  /// It was never started, because of `code`, which is answered: nothing was called, and only the
  /// context is freed. If somebody else has closed it meanwhile it counts as begun, as in `start`.
  final func abandonStart(_ code: Code) -> Code {
    if lifecycle.claim(.closed, with: [.tearingDown, .tornDown]) == nil { return .ok }
    free()
    return code
  }

  /// What anybody may finish waits for nobody in particular.
  package final override var runner: UInt64 { life.has(.deferred) ? 0 : home?.runner ?? 0 }
}
