import CBelayShim

/// The lower end of a subscription: calls the observer, ends the chain, and is the handle to it, in
/// one object.
///
/// Subclasses implement the calls; this class decides when they happen.
@_spi(Engine) open class Subscription<Value>: Sink<Value>, @unchecked Sendable {
  public override init() {
    super.init()
    Live.subscriptions.began()
  }

  // MARK: What subclasses call

  open func onError(_ failure: Failure) -> Bool { false }
  open func onCompleted() {}
  open func onDisposed() {}
  /// Frees the observer's context. No callback runs afterwards.
  open func freeContext() {}
  /// The subscription's own home; nil if its home is that of the source on which it hangs directly
  /// (`Signal.hangsDirectly`). Unmanaged, because Swift would count a copy at each use.
  open var fixedHome: Unmanaged<Home>? { nil }

  package final override var home: Home? { fixedHome?.takeUnretainedValue() ?? upstream?.home }

  // MARK: A terminal event

  package final override func deliverEnd(_ end: End) {
    let delivery = beginDelivery()
    if delivery.isOpen { self.end(end) }
    endDelivery(delivery)
  }

  public final override func end(_ end: End) {
    // The thread that closes it also tears it down: it is at home, or the home has closed.
    guard lifecycle.claim(.closed, with: .tearingDown, isAtHome ? [] : .deferred) != nil else {
      return
    }
    if belay_shim_watches_events() { Probe.end(self, end) }
    let isInterruption: Bool
    if case .interrupted = end { isInterruption = true } else { isInterruption = false }
    // An interruption tears down in the order of a disposal, from the source on.
    if isInterruption {
      if belay_shim_watches_ends() { tellDisposal() }
      unsubscribe(afterEnd: false)
    }
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
    // The thread that delivered the end frees the context when it leaves.
    Delivery.noteHere()
  }

  /// Releases the upstream. A stage and the sink below it retain each other, so this must be done.
  /// A subscription without a home of its own keeps its source, because any thread may ask for its
  /// home as long as it lives.
  private final func forgetUpstream() { if fixedHome != nil { upstream = nil } }

  // MARK: Disposal

  @_optimize(speed)
  package final override func dispose(noting quiescence: Quiescence?) {
    if belay_shim_watches_ends() && !isClosed { tellDisposal() }
    if isClosed {
      // Another thread has claimed the end, and sees it through.
    } else if isAtHome {
      disposeAtHome()
    } else {
      disposeElsewhere()
    }
    quiescence?.note(self)
  }

  /// On another thread there is no name, because the home may be releasing the chain.
  @inline(never)
  private final func tellDisposal() {
    Probe.event(belay_shim_dispose, self, isAtHome ? chainName : "")
  }

  /// Whether this thread is at home. On another thread the home may change, but the answer stays
  /// false.
  @inline(__always)
  private final var isAtHome: Bool {
    if life.has(.direct) { return withEmitter(of: Value.self) { $0.ownHome.isCurrent } }
    return fixedHome?._withUnsafeGuaranteedRef { $0.isCurrent } ?? home?.isCurrent ?? true
  }

  private final var isHomeClosing: Bool { home?.isClosing ?? false }

  /// Disposes at home, where no other thread can be inside.
  @_optimize(speed)
  private final func disposeAtHome() {
    let record = Thread.record
    let address = Unmanaged.passUnretained(self).toOpaque()
    if belay_shim_calls(record, address) { return disposeInPart() }
    if belay_shim_is_deep(record) {
      if close() { NestedEnds.tellLater(self, .dispose) }
      return
    }
    // Counts as running, so that no thread takes it for quiescent before its context is freed.
    // The second place is for the source.
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
      leaveUnlessPartsRun(before)
    }
    let isNoted = belay_shim_end_delivery(record, place)
    if life.has(.awaited) { Quiescence.settle(self) }
    if isNoted { NestedEnds.runWaiting() }
  }

  /// At home, when the rest is left to the delivery that this was called from, or to the thread
  /// that is starting the subscription.
  private final func disposeInPart() { if close() { continueAtHome() } }

  /// Called at home when the subscription has been closed.
  private final func continueAtHome() {
    if life.has(.starting) {
      // The thread that starts it will find it closed, and send it home again.
    } else if Delivery.isHere(in: self) {
      tearDown()
      Delivery.noteHere()
    } else {
      tearDownAndFree()
    }
  }

  private final func disposeElsewhere() {
    // Read before the claim, after which another thread may release the upstream.
    guard let home, home.acceptsMessages else {
      if lifecycle.claim(.closed, with: [], .deferred) != nil { tearDownUnlessRunning() }
      return
    }
    if close() { sendHome(home) }
  }

  private final func sendHome(_ home: Home) {
    // If the home refuses the message, `receive` handles the rest.
    _ = home.post(Message(to: self, .dispose), reserved: true)
  }

  /// Continues a disposal that began elsewhere. The message was opened at home, or by a thread that
  /// waits for this (`Quiescence`), or was refused because the home has closed.
  public final override func receive(_ message: inout Message, isCanceled: Bool) {
    if !isCanceled {
      if isClosed && isAtHome { continueAtHome() }
      return
    }
    _ = lifecycle.set(.deferred)
    tearDownUnlessRunning()
  }

  /// Without a way home: finishes on this thread if no thread is inside, otherwise on the thread
  /// that leaves last.
  private final func tearDownUnlessRunning() {
    Delivery.noteEverywhere()
    if !Delivery.isAnywhere(in: self) { tearDownAndFree() }
  }

  /// Tears down, unless another thread has claimed that, and frees. No thread is inside.
  private final func tearDownAndFree() {
    // Counts as running, so that a waiting thread finds this thread in it.
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
    // At home no other thread can be inside. A callback that has closed the home is there no more.
    let isLast =
      !life.has(.deferred) && isAtHome
      ? !Delivery.isHere(in: self)
      : (life.has(.deferred) || isHomeClosing) && !Delivery.isAnywhere(in: self)
    if isLast {
      if life.has(.tornDown) {
        free()
      } else if life.has(.deferred) && !life.has(.tearingDown) {
        tearDownAndFree()
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

  /// Whether nothing of the program's is called at its end. Kept in `level`, which no operator needs
  /// then. Set before other threads know it.
  package final var endsSilently: Bool {
    get { level == 1 }
    set { level = newValue ? 1 : 0 }
  }

  /// A disposal elsewhere leaves to the home what the end calls.
  package final override func isQuiescent(_ level: Quiescence.Level) -> Bool {
    let life = life
    if Delivery.isAnywhere(in: self) { return false }
    if life.has(.finalised) { return true }
    return level != .freed && !life.has(.freeing) && (level == .idle || endsSilently)
  }

  // MARK: Starting

  /// Connects the subscription to `signal`, by its uppermost part `sink`. For other threads,
  /// starting counts as running: a thread that disposes meanwhile leaves the rest to this one. A
  /// start that fails calls no callback: it tears down what was attached, and frees the context.
  ///
  /// - Parameter failsAsEvent: the caller of `subscribe` has its answer already, so a failure must
  ///   be an error event.
  final func start(
    _ signal: Signal<Value>, by sink: Sink<Value>? = nil, at home: Home, failsAsEvent: Bool = false
  ) -> Code {
    if belay_shim_watches_events() {
      belay_shim_watch_sends()
      // The values that come while it is being connected are watched, too.
      if belay_shim_watches_next() { _ = lifecycle.clear(.callsDirectly) }
      Probe.event(belay_shim_subscribe, self, signal.name)
    }
    let isElsewhere = !isAtHome
    if isElsewhere { _ = lifecycle.set(.starting) }
    let delivery = beginDelivery(isStart: true)
    var code = Code.ok
    if delivery.isOpen {
      // Set only now: a thread that has closed this before would not have released it.
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
      if life.has(.awaited) { Quiescence.movedOn() }
    }
    // If another thread has closed it meanwhile, that thread sees the end through, and the start
    // counts as done.
    return code.isFailure && !isOurs ? .ok : code
  }

  private final func undoStart() {
    unsubscribe(afterEnd: false)
    _ = lifecycle.claim(.tornDown)
  }

  /// Ends a subscription that was never started, because of `code`. Calls no callback and frees
  /// only the context. If another thread has closed it meanwhile, the start counts as done, as in
  /// `start`.
  final func abandonStart(_ code: Code) -> Code {
    if lifecycle.claim(.closed, with: [.tearingDown, .tornDown]) == nil { return .ok }
    free()
    return code
  }

  /// A deferred end waits for no thread in particular.
  package final override var runners: [UInt64] {
    [life.has(.deferred) ? 0 : home?.runner ?? 0]
  }
}
