extension Signal {
  /// Events are delivered by work on `scheduler`, in their order, from a bounded queue. When that
  /// is a loop's, what is below runs at that loop, which so is the subscription's home; what is
  /// above runs where one subscribed. (deliverOn, receive(on:) elsewhere.)
  public final func observe(
    on scheduler: Scheduler, _ options: QueueOptions = QueueOptions()
  ) -> Signal<Value> {
    ObserveOnSignal(self, scheduler, options)
  }

  /// The source is subscribed to by work on `scheduler`. When that is another loop's, the source
  /// and what is above run at that loop.
  public final func subscribe(on scheduler: Scheduler) -> Signal<Value> {
    SubscribeOnSignal(self, scheduler)
  }
}

private final class ObserveOnSignal<Value>: Signal<Value>, @unchecked Sendable {
  // Kept by `stands(on:)`.
  private unowned(unsafe) let source: Signal<Value>
  private let scheduler: Scheduler
  private let options: QueueOptions
  private let landing: Landing

  init(_ source: Signal<Value>, _ scheduler: Scheduler, _ options: QueueOptions) {
    self.source = source
    self.scheduler = scheduler
    self.options = options
    landing = Landing(scheduler, after: source.route)
    super.init()
    stands(on: source)
    route = Route(across: landing)
  }

  override var stem: NameStem? { NameStem(source, ".observe_on") }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    guard RearmableTimer.reaches(home, from: scheduler) else { return .noHome }
    let boundary = AsyncBoundary(sink, at: home, by: scheduler.resolved, options, name)
    sink.upstream = boundary
    var origin = sink.root.upstream?.origin.home ?? home
    if !origin.isCurrent && !origin.acceptsMessages { origin = home }
    let upperHome = source.subscriptionHome(origin)
    let top = boundary.makeTop(at: upperHome)
    let code = source.start(top, at: upperHome, from: origin)
    if code.isFailure {
      boundary.detach(sink, afterEnd: false)
      sink.upstream = nil
    }
    return code
  }
}

private final class SubscribeOnSignal<Value>: Signal<Value>, @unchecked Sendable {
  // Kept by `stands(on:)`.
  private unowned(unsafe) let source: Signal<Value>
  private let scheduler: Scheduler

  init(_ source: Signal<Value>, _ scheduler: Scheduler) {
    self.source = source
    self.scheduler = scheduler
    super.init()
    stands(on: source)
  }

  override var stem: NameStem? { NameStem(source, ".subscribe_on") }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    guard RearmableTimer.reaches(home, from: scheduler) else { return .noHome }
    guard let there = scheduler.home, there !== home else {
      let code = lateStage(sink).attach(to: source, at: home)
      if code.isFailure { sink.upstream = nil }
      return code
    }
    let boundary = AsyncBoundary(sink, at: home, by: nil, QueueOptions(), name)
    sink.upstream = boundary
    let top = boundary.makeTop(at: there)
    let work = StartWork { [source] isCanceled in
      if isCanceled {
        _ = top.abandonStart(.canceled)
        boundary.push(.interrupted)
        return
      }
      if top.isDisposed { return }
      let code = source.start(top, at: there)
      if code.isFailure { boundary.push(.failed(Failure(code))) }
    }
    let code = scheduler.submit(work)
    if code.isFailure {
      _ = top.abandonStart(code)
      boundary.detach(sink, afterEnd: false)
      sink.upstream = nil
      return code
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
    let next = ClosureWork { [self] in
      _ = home.perform { self.delivering { self.connect(source, home) } }
    }
    work = next
    let code = scheduler.submit(next)
    // What ran in the call is over.
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
