extension Signal {
  /// Sends arrays of `count` values. The last array may be shorter, and is sent before the
  /// completion. On an error, the collected values are dropped.
  public final func buffer(_ count: Int) -> Signal<[Value]> { buffer(count) { $0 } }

  /// Sends an array every `span` (> 0, else `.invalid`) and at the completion, even an empty one;
  /// also as soon as `count` values have been collected, which restarts the period.
  public final func buffer(
    every span: Duration, count: Int = .max, on scheduler: Scheduler
  ) -> Signal<[Value]> {
    .timed(by: span) { buffer(every: $0, count: count, on: scheduler) { $0 } }
  }

  /// `gather` takes over the references of the array's values.
  package final func buffer<Output>(
    _ count: Int, gather: @escaping ([Value]) -> Output
  ) -> Signal<Output> {
    lift(bounded: "buffer") { BufferStage($0, Swift.max(1, count), nil, gather, $1) }
  }

  package final func buffer<Output>(
    every span: Int64, count: Int, on scheduler: Scheduler, gather: @escaping ([Value]) -> Output
  ) -> Signal<Output> {
    lift(bounded: "buffer_time", startsAnywhere: false) {
      BufferStage($0, Swift.max(1, count), (scheduler, span), gather, $1)
    }
  }
}

/// Collects values until an array is full or its timer goes off.
private final class BufferStage<Value, Output>: Stage<Value, Output>, @unchecked Sendable {
  private let count: Int
  private let time: (scheduler: Scheduler, span: Int64)?
  private let gather: ([Value]) -> Output
  private var values: [Value] = []
  private var timer: RearmableTimer?
  // Values that are sent while the timer's array is delivered come after it.
  private let gate: Gate<Output>

  init(
    _ downstream: Sink<Output>, _ count: Int, _ time: (Scheduler, Int64)?,
    _ gather: @escaping ([Value]) -> Output, _ limit: QueueLimit
  ) {
    self.count = count
    self.time = time
    self.gather = gather
    gate = Gate(downstream, limit)
    super.init(downstream)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    if let time {
      timer = RearmableTimer(time.scheduler, at: home, in: root, of: self) {
        [unowned(unsafe) self] in
        self.sendArray()
      }
      let code = timer?.start(after: time.span) ?? .ok
      if code.isFailure { return code }
    }
    let code = source.connect(self, at: home)
    if code.isFailure { timer?.cancel() }
    return code
  }

  /// Sends an array, because it is full or its period is over.
  private func sendArray() {
    // First, because time that passes inside belongs to the new period.
    if let time, let timer {
      let code = timer.set(after: time.span)
      if code.isFailure { return gate.send(end: .failed(Failure(code))) }
    }
    flush()
  }

  override func next(_ value: Value) {
    keepGathered(value)
    values.append(value)
    if values.count >= count { sendArray() }
  }

  private func flush() {
    let full = values
    values = []
    let output = gather(full)
    gate.send(output)
    discard(output)
  }

  override func end(_ end: End) {
    timer?.cancel()
    // With a period, the last array is sent even if it is empty.
    if case .completed = end, time != nil || !values.isEmpty { flush() }
    gate.send(end: end)
  }

  override func tearDown() {
    timer?.cancel()
    gate.empty()
    let rest = values
    values = []
    for value in rest { discard(value) }
  }
}
