/// A signal that subscribes to its source once, when it is told to, for all who listen.
///
/// When the source has ended, or the connection was disposed of, the next `connect` begins anew,
/// with a subject of its own; who still listened to the one before is interrupted.
public final class ConnectableSignal<Value>: Signal<Value>, @unchecked Sendable {
  // Kept by `stands(on:)`.
  private unowned(unsafe) let source: Signal<Value>
  private let operatorName: StaticString
  private let rules: ShareRules
  private let makeSubject: (SourceOptions) -> Subject<Value>
  private let lock = Lock()
  private var current: SharedRun<Value>?

  init(
    _ source: Signal<Value>, _ operatorName: StaticString, _ rules: ShareRules = [],
    _ makeSubject: @escaping (SourceOptions) -> Subject<Value>
  ) {
    self.source = source
    self.operatorName = operatorName
    self.rules = rules
    self.makeSubject = makeSubject
    super.init()
    stands(on: source)
    route = Route(.joined(source))
  }

  package override var stem: NameStem? { NameStem(source, "." + operatorName.string) }

  package override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    run(at: home, counting: false).subject.connect(sink, at: home)
  }

  /// The present run, or a new one.
  func run(at home: Home, counting: Bool) -> (run: SharedRun<Value>, subject: Subject<Value>) {
    var old: SharedRun<Value>?
    let found = lock.withLock { () -> (SharedRun<Value>, Subject<Value>) in
      if let current, let subject = current.listen(counting: counting) { return (current, subject) }
      var options = SourceOptions(label: operatorName)
      // What is too much is refused by the source's own queue.
      options.capacity = .max
      options.home = home
      let subject = makeSubject(options)
      let run = SharedRun(subject, rules)
      _ = run.listen(counting: counting)
      old = current
      current = run
      return (run, subject)
    }
    extendLifetime(old)  // released outside the lock
    return found
  }

  /// Subscribes to the source, if it is not subscribed already; the same disposable until that
  /// ends. Disposing of it disconnects. (Those who only connect may drop it.)
  @discardableResult
  public func connect() -> Disposable { connection().connection ?? NopDisposable.shared }

  package func connection() -> (code: Code, connection: Disposable?) {
    run(at: Home.current, counting: false).run.connect(source, listened: false)
  }

  /// Connects `run`, which somebody has begun to listen to.
  func connect(_ run: SharedRun<Value>) { _ = run.connect(source, listened: true) }

  /// Connects with the first subscription, and disconnects with the last one.
  public func refCount() -> Signal<Value> { RefCountSignal(self) }

  /// Connects with the `count`th subscription, once, and stays so until the source ends.
  ///
  /// - Parameter count: at least 1.
  public func autoConnect(_ count: Int = 1) -> Signal<Value> { AutoConnectSignal(self, count) }
}

extension Signal {
  /// Makes a signal that subscribes once, when it is connected, for all who listen.
  public final func publish() -> ConnectableSignal<Value> {
    ConnectableSignal(self, "publish") { PublishSubject($0) }
  }

  /// The same through `subject`, which stays: those who listen do so through connections and
  /// disconnections, until the source ends, and the subject with it.
  public final func multicast(_ subject: Subject<Value>) -> ConnectableSignal<Value> {
    ConnectableSignal(self, "multicast") { _ in subject }
  }

  /// Like `publish`, and who comes later gets first what was sent before, as a `ReplaySubject`
  /// keeps it.
  public final func replay(
    count: Int? = nil, age: Duration? = nil, clock scheduler: Scheduler? = nil
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
