/// A signal that subscribes to its source once for all its subscribers, when `connect` is called.
///
/// After the source's end, or when the connection was disposed of, the next `connect` begins a new
/// run with a new subject. Remaining subscribers of the old one are interrupted.
public final class ConnectableSignal<Value>: Signal<Value>, @unchecked Sendable {
  // `stands(on:)` retains it.
  private unowned(unsafe) let source: Signal<Value>
  private let operatorName: StaticString
  private let rules: ShareRules
  private let resets: ShareResets?
  private let makeSubject: (SourceOptions) -> Subject<Value>
  private let lock = Lock()
  private var current: SharedRun<Value>?

  init(
    _ source: Signal<Value>, _ operatorName: StaticString, _ rules: ShareRules = [],
    _ resets: ShareResets? = nil, _ makeSubject: @escaping (SourceOptions) -> Subject<Value>
  ) {
    self.source = source
    self.operatorName = operatorName
    self.rules = rules
    self.resets = resets
    self.makeSubject = makeSubject
    super.init()
    stands(on: source)
    route = Route(.joined(source))
  }

  deinit { current?.sharedSignalWent() }

  package override var stem: NameStem? { NameStem(source, "." + operatorName.string) }

  package override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    join(at: home, counting: false) { _, subject in subject.connect(sink, at: home) }
  }

  /// Has `connect` subscribe at `home` to the subject of the present run, or of a new one. A run
  /// whose home begins to close meanwhile is over, as one whose home has closed. Where `home` closes
  /// itself, there is no other.
  func join(
    at home: Home, counting: Bool, _ connect: (SharedRun<Value>, Subject<Value>) -> Code
  ) -> Code {
    var closing: Subject<Value>?
    while true {
      let (run, subject) = run(at: home, counting: counting)
      let code = connect(run, subject)
      // The subject of `multicast` stays the same.
      if code != .canceled || home.isOver || subject === closing
        || !subject.emitter.ownHome.isOver
      {
        return code
      }
      closing = subject
    }
  }

  /// The present run, or a new one.
  private func run(
    at home: Home, counting: Bool
  ) -> (run: SharedRun<Value>, subject: Subject<Value>) {
    var old: SharedRun<Value>?
    var late: Disposable?
    let found = lock.withLock { () -> (SharedRun<Value>, Subject<Value>) in
      if let current, let subject = current.listen(counting: counting, &late) {
        return (current, subject)
      }
      var options = SourceOptions(label: operatorName)
      options.home = home
      let subject = makeSubject(options)
      let run = SharedRun(subject, rules, resets)
      _ = run.listen(counting: counting, &late)
      old = current
      current = run
      return (run, subject)
    }
    extendLifetime(old)  // released outside the lock
    late?.dispose()
    return found
  }

  /// Subscribes to the source, if that has not been done. Returns the same disposable until that
  /// subscription ends; disposing of it disconnects. The caller may drop it.
  @discardableResult
  public func connect() -> Disposable { connection().connection ?? NopDisposable.shared }

  package func connection() -> (code: Code, connection: Disposable?) {
    run(at: Home.current, counting: false).run.connect(source, listened: false)
  }

  /// Connects `run`, which has a subscriber by now.
  func connect(_ run: SharedRun<Value>) { _ = run.connect(source, listened: true) }

  /// Connects with the first subscription, and disconnects with the last one.
  public func refCount() -> Signal<Value> { RefCountSignal(self) }

  /// Connects once, with the `count`th subscription, and stays connected until the source ends.
  ///
  /// - Parameter count: at least 1.
  public func autoConnect(_ count: Int = 1) -> Signal<Value> { AutoConnectSignal(self, count) }
}

extension Signal {
  /// Makes a signal that subscribes once for all its subscribers, when it is connected.
  public final func publish() -> ConnectableSignal<Value> {
    ConnectableSignal(self, "publish") { PublishSubject($0) }
  }

  /// The same through `subject`, which stays. Its subscribers remain through connections and
  /// disconnections, until the source ends, and the subject with it.
  public final func multicast(_ subject: Subject<Value>) -> ConnectableSignal<Value> {
    ConnectableSignal(self, "multicast", .keepsSubject) { _ in subject }
  }

  /// Like `publish`, but later subscribers first get the earlier values that a `ReplaySubject`
  /// keeps: the latest `count`, or without a bound with nil.
  public final func replay(
    count: Int? = 1024, age: Duration? = nil, clock scheduler: Scheduler? = nil
  ) -> ConnectableSignal<Value> {
    replay(
      ReplayLimits(count: count ?? .max, age: age?.nanoseconds ?? .max, clock: scheduler))
  }

  package final func replay(_ limits: ReplayLimits) -> ConnectableSignal<Value> {
    ConnectableSignal(self, "replay", [.keepsError, .keepsCompletion]) {
      ReplaySubject(limits, $0)
    }
  }
}
