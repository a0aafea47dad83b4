/// A subject with a current value, which each new subscriber gets first. After the end, new
/// subscribers get only the end. (Combine's CurrentValueSubject.)
public final class BehaviorSubject<Value>: Subject<Value>, @unchecked Sendable {
  private let memory: BehaviorEmitter<Value>

  /// - Parameters:
  ///   - initial: the first current value. The subject takes over the caller's reference.
  ///   - options: its home, if not the calling thread's, and its name.
  public init(_ initial: Value, _ options: SourceOptions = SourceOptions()) {
    memory = BehaviorEmitter(initial, options)
    super.init(memory)
  }

  /// The same as `value`, kept for the caller, which discards it.
  package var keptValue: Value { memory.keptValue }

  /// The last value delivered, or the one being delivered. Any thread may read it.
  public var value: Value {
    let value = memory.keptValue
    discard(value)
    return value
  }
}

/// Remembers the last value that it has delivered.
private final class BehaviorEmitter<Value>: Emitter<Value>, @unchecked Sendable {
  private var current: Value
  private let lock = Lock()

  init(_ initial: Value, _ options: SourceOptions) {
    current = initial
    super.init(options)
  }

  deinit { discard(current) }

  /// The current value, kept for the caller, which discards it.
  var keptValue: Value {
    lock.withLock {
      keep(current)
      return current
    }
  }

  override func accept(_ value: Value) -> Code { sendByProcess(value) }

  override func process(_ event: PendingEvents<Value>.Event) {
    if case .value(let value) = event, !hasEnded {
      keep(value)
      let old = lock.withLock { () -> Value in
        let old = current
        current = value
        return old
      }
      discard(old)
    }
    super.process(event)
  }

  override func replay(to sink: Sink<Value>) {
    if !hasEnded { replay(kept: keptValue, to: sink) }
  }
}
