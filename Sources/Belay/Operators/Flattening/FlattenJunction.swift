/// Which of several inner signals run.
enum Flattening {
  /// At most this many at once, and at least one. The others wait.
  case merge(limit: Int)
  /// All, as far as the bound of the queue allows: each one holds a value that waits.
  case waiting
  /// The latest one. The one before is disposed of.
  case latest
  /// The first one. Values that come while it runs are dropped.
  case first
}

/// Makes a signal of each of its source's values, and sends the values of these signals.
///
/// A value that comes while a signal is being started waits, so that starts are not nested.
class FlattenJunction<Outer, Value>: InnerJunction<Value>, @unchecked Sendable {
  private final var source: Signal<Outer>?
  private final let flattening: Flattening
  private final let project: (Outer) throws(ClosureError) -> Signal<Value>
  private final var waiting = PendingEvents<Outer>()
  private final var running = 0
  /// The one that runs, where there is only one.
  private final var current: InnerInput<Value>?
  private final var isBeginning = false
  private final var isSourceOver = false
  private final var isEnding = false
  private final var wasInterrupted = false
  private final var sourceWasInterrupted = false

  init(
    _ downstream: Sink<Value>, _ source: Signal<Outer>, _ flattening: Flattening, at home: Home,
    _ project: @escaping (Outer) throws(ClosureError) -> Signal<Value>
  ) {
    self.source = source
    if case .merge(let limit) = flattening {
      self.flattening = .merge(limit: max(1, limit))
    } else {
      self.flattening = flattening
    }
    self.project = project
    super.init(downstream, at: home)
  }

  /// Called when a value's turn has come.
  func beginning(_ value: Outer) {}

  final override func start() {
    // Drop the source now: subscribers must not retain a subject, whose last release interrupts.
    guard let source = self.source.take() else { return }
    connect(source, next: { self.handle($0) }, end: { self.sourceEnded($0) })
  }

  deinit { waiting.removeAll() }

  final override func tearDown() {
    waiting.removeAll()
    current = nil
  }

  /// Starts the signal of `value`, which is borrowed, or lets it wait.
  final func handle(_ value: Outer) {
    if isEnding { return }
    switch flattening {
    case .merge(let limit):
      if isBeginning || running >= limit {
        return wait(value)
      }
    case .waiting:
      if isBeginning { return wait(value) }
    case .latest:
      if isBeginning {
        _ = waiting.append(value, .latest, capacity: .max)
        return leaveCurrent()
      }
    case .first: if isBeginning || running > 0 { return }
    }
    begin(value)
    proceed()
  }

  @inline(never)
  private final func refuse() { give(limit.refusal) }

  private final func wait(_ value: Outer) {
    switch limit.admit(after: waiting.valueCount) {
    case .accepted: break
    case .replacesOldest: if case .value(let old)? = waiting.popFirst() { discard(old) }
    case .dropped: return
    case .refused: return refuse()
    }
    _ = waiting.append(value, .queue, capacity: .max)
  }

  private final func begin(_ value: Outer) {
    if case .waiting = flattening, limit.refuses(after: running) { return refuse() }
    isBeginning = true
    defer { isBeginning = false }
    if case .latest = flattening {
      leaveCurrent()
      wasInterrupted = false
    }
    beginning(value)
    if isClosed { return }
    do throws(ClosureError) {
      let signal = try project(value)
      if !isClosed { run(signal) }
    } catch {
      give(.failed(.carrying(error)))
    }
  }

  private final func run(_ signal: Signal<Value>) {
    // One value needs no subscription.
    if signal.form == .just {
      innerNext(unsafeDowncast(signal, to: JustSignal<Value>.self).value)
      return extendLifetime(signal)
    }
    let inner = InnerInput(self)
    running += 1
    if case .latest = flattening { current = inner }
    connect(inner, to: signal)
  }

  private final func leaveCurrent() {
    guard let left = current else { return }
    current = nil
    running -= 1
    left.dispose()
  }

  final override func innerEnded(_ inner: InnerInput<Value>, _ end: End) {
    running -= 1
    current = nil
    if case .failed = end { return give(end) }
    if case .interrupted = end { wasInterrupted = true }
    if !waiting.isEmpty { inner.release() }
    proceed()
  }

  private final func sourceEnded(_ end: End) {
    isSourceOver = true
    if case .failed = end { return give(end) }
    if case .interrupted = end { sourceWasInterrupted = true }
    proceed()
  }

  /// Starts the signals that wait, as far as there is room. Ends when nothing is left.
  private final func proceed() {
    if isBeginning { return }
    // Another thread may end an expansion that is endless.
    while !isEnding, !isClosed, hasRoom, !waiting.isEmpty, !downstream.takesNoMore,
      case .value(let value)? = waiting.popFirst()
    {
      begin(value)
      discard(value)
    }
    if isSourceOver && running == 0 && waiting.isEmpty {
      give(sourceWasInterrupted || wasInterrupted ? .interrupted : .completed)
    }
  }

  private final var hasRoom: Bool {
    if case .merge(let limit) = flattening { running < limit } else { true }
  }

  private final func give(_ end: End) {
    if isEnding { return }
    isEnding = true
    send(end: end)
  }
}
