/// A subject that sends one value, the last one, when it completes. Later subscribers get that
/// value, too. An error, or a completion without a value, is passed on alone.
public final class AsyncSubject<Value>: Subject<Value>, @unchecked Sendable {
  /// A subject at home at the calling thread, unless `options` names another home.
  public init(_ options: SourceOptions = SourceOptions()) { super.init(AsyncEmitter(options)) }
}

/// Keeps the last value until the completion sends it.
private final class AsyncEmitter<Value>: Emitter<Value>, @unchecked Sendable {
  private var last: Value?
  private var isCompleted = false

  init(_ options: SourceOptions) { super.init(options) }

  deinit { if let last { discard(last) } }

  override func accept(_ value: Value) -> Code { sendByProcess(value) }

  override func process(_ event: PendingEvents<Value>.Event) {
    guard case .value(let value) = event else { return super.process(event) }
    if hasEnded { return discard(value) }
    let old = last
    last = value
    if let old { discard(old) }
  }

  override func prepare(for end: End) {
    if case .completed = end {
      isCompleted = true
      if let last { deliver(last) }
    } else if let last {
      self.last = nil
      discard(last)
    }
  }

  override func replay(to sink: Sink<Value>) {
    if isCompleted, let last { visit { sink.deliver(last) } }
  }
}
