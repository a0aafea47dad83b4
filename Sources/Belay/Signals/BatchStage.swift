extension Signal {
  /// Subscribes a closure that gets what comes in a batch together, at most 256 values at a time,
  /// borrowed: the values of `from`, `range` and `repeat`, of `next(contentsOf:)`, of one read of a
  /// file, and what arrives from elsewhere in one turn of a loop. A value outside a batch comes
  /// alone. An end comes after all of them; a disposal drops what has not been delivered.
  ///
  /// What a callback upstream does is done for the whole batch before `nextBatch` is called.
  @discardableResult
  public final func subscribe(
    owner: OwnerRecord? = nil, nextBatch: @escaping (UnsafeBufferPointer<Value>) -> Void,
    error: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil,
    disposed: (() -> Void)? = nil
  ) -> Disposable {
    batched { values in
      nextBatch(values)
      return nil
    }
    .subscribe(owner: owner, error: error, completed: completed, disposed: disposed)
  }

  /// Hands the values to `deliver`; only the end goes on. What it answers is an error event.
  package final func batched(
    _ deliver: @escaping (UnsafeBufferPointer<Value>) -> Failure?
  ) -> Signal<Value> {
    lift("batch") { BatchStage($0, deliver) }
  }
}

extension Subject {
  /// Sends several values as one batch (`subscribe(nextBatch:)`), otherwise like `next`.
  ///
  /// - Returns: the code of the first value that was refused, whose successors are dropped; else
  ///   that of the last one.
  @discardableResult
  public final func next(contentsOf values: some Sequence<Value>) -> Code {
    var code = Code.ok
    Batch.begin()
    for value in values where !code.isFailure { code = emit(value) }
    Batch.end()
    return code
  }
}

/// How many values a batch has at most.
private let mostAtOnce = 256

private final class BatchStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let deliver: (UnsafeBufferPointer<Value>) -> Failure?
  private var gathered: [Value] = []
  /// Room that is used again.
  private var batch: [Value] = []
  private var isAwaited = false
  private var isDelivering = false
  private var lateEnd: End?

  init(_ downstream: Sink<Value>, _ deliver: @escaping (UnsafeBufferPointer<Value>) -> Failure?) {
    self.deliver = deliver
    super.init(downstream)
  }

  override func next(_ value: Value) {
    keep(value)
    gathered.append(value)
    if gathered.count < mostAtOnce {
      if !isAwaited { isAwaited = Batch.tell(self) }
      if isAwaited { return }
    }
    deliverGathered()
  }

  /// The batch is over, on a thread that may have left home meanwhile.
  override func receive(_ message: inout Message, isCanceled: Bool) {
    root.home?.perform { self.endBatch() }
  }

  private func endBatch() {
    isAwaited = false
    delivering { deliverGathered() }
  }

  /// Is never entered again from inside: what comes meanwhile follows.
  private func deliverGathered() {
    if isDelivering { return }
    isDelivering = true
    while !gathered.isEmpty {
      swap(&batch, &gathered)
      let failure = batch.withUnsafeBufferPointer(deliverInParts)
      dropBatch()
      if let failure {
        lateEnd = .failed(failure)
        break
      }
    }
    isDelivering = false
    if let lateEnd { pass(end: lateEnd) }
  }

  /// More than the most there may be at once have come from inside a delivery.
  private func deliverInParts(_ values: UnsafeBufferPointer<Value>) -> Failure? {
    var start = 0
    while start < values.count && !isClosed {
      let end = min(start + mostAtOnce, values.count)
      if let failure = deliver(UnsafeBufferPointer(rebasing: values[start..<end])) {
        return failure
      }
      start = end
    }
    return nil
  }

  override func end(_ end: End) {
    if isDelivering {
      lateEnd = end
      return
    }
    deliverGathered()
    pass(end: end)
  }

  private func dropBatch() {
    for value in batch { discard(value) }
    batch.removeAll(keepingCapacity: true)
  }

  override func tearDown() {
    let dropped = gathered
    gathered = []
    for value in dropped { discard(value) }
  }
}
