extension Signal {
  /// Delivers events by work on `scheduler`, in their order, from a bounded queue. If the scheduler
  /// is a loop's, the part below runs at that loop, which is the subscription's home then. The part
  /// above runs at the home where the subscriber subscribed. (deliverOn, receive(on:) in other
  /// libraries.)
  public final func observe(
    on scheduler: Scheduler, _ options: QueueOptions = QueueOptions()
  ) -> Signal<Value> {
    ObserveOnSignal(self, scheduler, options)
  }

  /// Subscribes to the source by work on `scheduler`. If the scheduler is another loop's, the
  /// source and the operators above run at that loop.
  public final func subscribe(on scheduler: Scheduler) -> Signal<Value> {
    SubscribeOnSignal(self, scheduler)
  }
}

/// Puts a boundary between the sink and the source. The scheduler's work empties its queue.
private final class ObserveOnSignal<Value>: Signal<Value>, @unchecked Sendable {
  // `stands(on:)` retains it.
  private unowned(unsafe) let source: Signal<Value>
  private let scheduler: Scheduler
  private let landing: Landing

  init(_ source: Signal<Value>, _ scheduler: Scheduler, _ options: QueueOptions) {
    self.source = source
    self.scheduler = scheduler
    landing = Landing(scheduler, after: source.route)
    super.init()
    stands(on: source)
    route = Route(across: landing)
    let limit = QueueLimit("observe_on")
    _ = limit.set(options)
    queueLimit = limit
  }

  override var stem: NameStem? { NameStem(source, ".observe_on") }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    let reach = RearmableTimer.reach(home, from: scheduler)
    if reach.isFailure { return reach }
    let boundary = AsyncBoundary(sink, at: home, by: scheduler.resolved, queueLimit!, name)
    sink.upstream = boundary
    var origin = sink.root.upstream?.origin.home?.takeUnretainedValue() ?? home
    if !origin.isCurrent && !origin.acceptsMessages { origin = home }
    let upperHome = source.subscriptionHome(origin)
    let upper = boundary.makeUpper(at: upperHome)
    return boundary.started(source.start(upper, at: upperHome, from: origin), below: sink)
  }
}

/// Starts the source by work on the scheduler, above a boundary if that has another home.
private final class SubscribeOnSignal<Value>: Signal<Value>, @unchecked Sendable {
  // `stands(on:)` retains it.
  private unowned(unsafe) let source: Signal<Value>
  private let scheduler: Scheduler

  init(_ source: Signal<Value>, _ scheduler: Scheduler) {
    self.source = source
    self.scheduler = scheduler
    super.init()
    stands(on: source)
    queueLimit = QueueLimit("subscribe_on")
  }

  override var stem: NameStem? { NameStem(source, ".subscribe_on") }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    let reach = RearmableTimer.reach(home, from: scheduler)
    if reach.isFailure { return reach }
    guard let there = scheduler.home, there !== home else {
      let code = lateStage(sink).attach(to: source, at: home)
      if code.isFailure { sink.upstream = nil }
      return code
    }
    let boundary = AsyncBoundary(sink, at: home, by: nil, queueLimit!, name)
    sink.upstream = boundary
    let upper = boundary.makeUpper(at: there)
    let work = StartWork(above: boundary) { [source] isCanceled in
      if isCanceled {
        _ = upper.abandonStart(.canceled)
        boundary.push(.interrupted)
        return
      }
      if upper.isDisposed { return }
      let code = source.start(upper, at: there)
      if code.isFailure { boundary.push(.failed(Failure(code))) }
    }
    let code = scheduler.submit(work)
    if code.isFailure {
      _ = upper.abandonStart(code)
      return boundary.started(code, below: sink)
    }
    work.wasPosted()
    return .ok
  }

  private func lateStage(_ sink: Sink<Value>) -> Stage<Value, Value> {
    let stage = SubscribeOnStage(sink, scheduler)
    stage.operatorName = StaticSite("subscribe_on")
    sink.upstream = stage
    return stage
  }
}

/// Connects to the source by work on a scheduler at the subscription's own home.
private final class SubscribeOnStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let scheduler: Scheduler
  private var work: Disposable?
  private var resident: WaitingResident?

  init(_ downstream: Sink<Value>, _ scheduler: Scheduler) {
    self.scheduler = scheduler
    super.init(downstream)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    upstream = SilentSource("subscribe_on", home)
    let next = ClosureWork(root.origin) { [self] in
      let code = home.perform { self.delivering { self.connect(source, home) } }
      if code == .noHome { root.lose(code, at: home) }
    }
    work = next
    let code = scheduler.submit(next)
    // The work is over if it ran within `submit`.
    if next.isDisposed { work = nil }
    if code.isFailure { return code }
    if work != nil {
      let waiting = WaitingResident(root, at: home) { [unowned(unsafe) self] in
        self.root.dispose()
      }
      resident = waiting
      waiting.isWaiting = true
    }
    return .ok
  }

  private func connect(_ source: Signal<Value>, _ home: Home) {
    work = nil
    resident?.isWaiting = false
    let code = source.connect(self, at: home)
    if code.isFailure { pass(end: .failed(Failure(code))) }
  }

  override func next(_ value: Value) { pass(value) }

  override func tearDown() {
    let work = work
    self.work = nil
    resident?.isWaiting = false
    work?.dispose()
  }
}
