import Belay

/// What happened, in order. Any thread may add.
final class Trace: Sendable {
  private let lines = Locked<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  /// Whether nothing has been added since the last time.
  var isEmpty: Bool { lines.withLock { $0.isEmpty } }

  /// What has been added since the last time, as "one | two".
  func take() -> String {
    lines.withLock { lines in
      defer { lines = [] }
      return lines.joined(separator: " | ")
    }
  }

  /// An action that adds `name`.
  func action(_ name: String) -> AnonymousDisposable { AnonymousDisposable { self.add(name) } }

  /// A disposable that adds its name, and "free" when it is let go of.
  func witnessed(_ name: String) -> AnonymousDisposable {
    let witness = Witness(self, name)
    return AnonymousDisposable { witness.say("action") }
  }
}

extension Trace {
  /// Adds each value and the completion behind the name.
  func watch<Value>(_ signal: Signal<Value>, as name: String = "") -> Disposable {
    signal.subscribe(
      next: { self.add("\(name)\($0)") }, completed: { self.add("\(name)completed") })
  }

  /// An owner whose end adds "deinit" and "dealloc".
  func owner(label: StaticString? = nil) -> Owner {
    Owner(label: label, deinit: { self.add("deinit") }, dealloc: { self.add("dealloc") })
  }

  /// Adds the news of an object's end, without the noise of disposals.
  func follow<Value>(_ deallocating: Signal<Value>, _ deallocated: Signal<Value>) {
    for (name, signal) in [("deallocating", deallocating), ("deallocated", deallocated)] {
      signal.subscribe(
        next: { _ in self.add("\(name) next") },
        error: { self.add("\(name) error \($0.name)") },
        completed: { self.add("\(name) completed") })
    }
  }
}

/// A callback that is held inside, on another thread, until it may leave.
final class Held: Sendable {
  let inside = Gate()
  let mayLeave = Gate()
  private let trace: Trace

  init(_ trace: Trace) { self.trace = trace }

  /// Subscribes it, bound to `owner`.
  func listen(to signal: Signal<Int>, boundTo owner: OwnerRecord?) {
    signal.subscribe(
      owner: owner,
      next: { [self] _ in
        inside.open()
        mayLeave.wait()
        trace.add("next ends")
      })
  }

  /// Sends a value to it, and stays inside with it.
  func send(boundTo owner: OwnerRecord?) {
    let subject = PublishSubject<Int>()
    listen(to: subject, boundTo: owner)
    subject.next(1)
  }
}

/// Stands for a callback's context: says "free" when it goes.
final class Witness: Sendable {
  private let trace: Trace
  private let prefix: String

  init(_ trace: Trace, _ prefix: String) {
    self.trace = trace
    self.prefix = prefix.isEmpty ? "" : prefix + " "
  }

  deinit { say("free") }

  func say(_ line: String) { trace.add(prefix + line) }
}

/// A variable that several threads may look at, one after the other.
final class Box<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}

extension Failure {
  /// Its code's name.
  var name: String { code.staticName.map { "\($0)" } ?? "\(code.rawValue)" }
}

extension Signal {
  /// Subscribes closures that trace every call, and the end of what they hold.
  @discardableResult
  func watch(_ trace: Trace, _ prefix: String = "", owner: Owner? = nil) -> Disposable {
    let witness = Witness(trace, prefix)
    return subscribe(
      owner: owner?.record, next: { witness.say("next \($0)") },
      error: { witness.say("error \($0.name)") }, completed: { witness.say("completed") },
      disposed: { witness.say("disposed") })
  }

  /// A stage that traces every call.
  func tap(_ trace: Trace, _ prefix: String) -> Signal<Value> {
    self.do(
      next: { trace.add("\(prefix) next \($0)") },
      error: { trace.add("\(prefix) error \($0.name)") },
      completed: { trace.add("\(prefix) completed") }, disposed: { trace.add("\(prefix) disposed") }
    )
  }
}

/// A cold signal whose last subscriber is kept, and whose teardown is traced.
final class Wire<Value>: @unchecked Sendable {
  private let trace: Trace
  private(set) var subscriber: Subscriber<Value>?

  init(_ trace: Trace) { self.trace = trace }

  var signal: Signal<Value> {
    .create { [self] subscriber in
      self.subscriber = subscriber
      return trace.action("released")
    }
  }

  @discardableResult
  func next(_ value: Value) -> Code { subscriber?.next(value) ?? .invalid }
  func next(_ value: Value, waitingAtMost timeout: Duration?) -> Code {
    subscriber?.next(value, waitingAtMost: timeout) ?? .invalid
  }
  @discardableResult
  func completed() -> Code { subscriber?.completed() ?? .invalid }
  @discardableResult
  func error(_ code: Code) -> Code { subscriber?.error(Failure(code)) ?? .invalid }
  func drop() { subscriber = nil }
}
