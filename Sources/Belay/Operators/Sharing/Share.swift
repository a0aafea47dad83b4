extension Signal {
  /// Makes one subscription to this signal for all subscribers: it begins with the first of them
  /// and ends with the last. After that, and after an end, the next subscriber begins a new one,
  /// unless `rules` say otherwise.
  public final func share(_ rules: ShareRules = []) -> Signal<Value> {
    ConnectableSignal(self, "share", rules) { PublishSubject($0) }.refCount()
  }

  /// The same, but later subscribers first get the earlier values that a `ReplaySubject` keeps.
  ///
  /// - Parameters:
  ///   - count: how many values are kept, the latest ones; nil: all of them, without a bound.
  ///   - age: values older than this are dropped; nil: none is dropped for its age.
  ///   - scheduler: the clock for the age; nil: the monotonic clock.
  ///   - rules: without rules, the values are dropped with the last subscription and at the end
  ///     (RxSwift's `whileConnected`); with all three they never are (its `forever`); RxJS's and
  ///     ReactiveX's `shareReplay` keep the completion and the connection.
  public final func shareReplay(
    count: Int? = 1024, age: Duration? = nil, clock scheduler: Scheduler? = nil,
    _ rules: ShareRules = [.keepsCompletion, .keepsConnection]
  ) -> Signal<Value> {
    shareReplay(
      ReplayLimits(count: count ?? .max, age: age?.nanoseconds ?? .max, clock: scheduler), rules)
  }

  /// Shares one subscription as `share()` does, and keeps it until signals send a value: see
  /// `ShareResets`. (RxJS's share.)
  ///
  /// - Parameters:
  ///   - count: how many earlier values later subscribers first get.
  ///   - resets: the signals; nothing is kept where there is none.
  public final func share(replaying count: Int = 0, until resets: ShareResets) -> Signal<Value> {
    let limits = ReplayLimits(count: count, age: .max, clock: nil)
    return ConnectableSignal(self, "share_until", resets.rules, resets) {
      count > 0 ? ReplaySubject(limits, $0) : PublishSubject($0)
    }.refCount()
  }

  package final func shareReplay(_ limits: ReplayLimits, _ rules: ShareRules) -> Signal<Value> {
    ConnectableSignal(self, "share_replay", rules) { ReplaySubject(limits, $0) }.refCount()
  }
}

/// Connects a `ConnectableSignal` while it has subscribers.
final class RefCountSignal<Value>: Signal<Value>, @unchecked Sendable {
  // `stands(on:)` retains it.
  private unowned(unsafe) let connectable: ConnectableSignal<Value>

  init(_ connectable: ConnectableSignal<Value>) {
    self.connectable = connectable
    super.init()
    stands(on: connectable)
    route = Route(connectable.route.arrival)
  }

  override var stem: NameStem? { NameStem(connectable, ".ref_count") }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    connectable.join(at: home, counting: true) { run, subject in
      let stage = CountedStage(sink, run)
      stage.operatorName = StaticSite("ref_count")
      sink.upstream = stage
      let code = subject.connect(stage, at: home)
      if code.isFailure {
        sink.upstream = nil
        run.leave(sink.root)
        return code
      }
      connectable.connect(run)
      return .ok
    }
  }
}

/// Counts a subscriber while it is subscribed.
private final class CountedStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var run: SharedRun<Value>?

  init(_ downstream: Sink<Value>, _ run: SharedRun<Value>) {
    self.run = run
    super.init(downstream)
  }

  override func next(_ value: Value) { pass(value) }

  override func tearDown() {
    let run = run
    self.run = nil
    run?.leave(root)
  }
}

/// Connects a `ConnectableSignal` when it has enough subscribers.
final class AutoConnectSignal<Value>: Signal<Value>, @unchecked Sendable {
  // `stands(on:)` retains it.
  private unowned(unsafe) let connectable: ConnectableSignal<Value>
  private let lock = Lock()
  private var missing: Int

  init(_ connectable: ConnectableSignal<Value>, _ count: Int) {
    self.connectable = connectable
    missing = Swift.max(1, count)
    super.init()
    stands(on: connectable)
    route = Route(connectable.route.arrival)
  }

  override var stem: NameStem? { NameStem(connectable, ".auto_connect") }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    let code = connectable.connect(sink, at: home)
    if code.isFailure { return code }
    let isDue = lock.withLock {
      missing = Swift.max(-1, missing - 1)
      return missing == 0
    }
    if isDue { connectable.connect() }
    return .ok
  }
}
