extension Signal {
  /// Calls `deliver` with the values of each batch, which an urgent value ends, and passes only the
  /// end on. A failure that `deliver` returns ends the subscription.
  package final func batched(
    isUrgent: @escaping (Value) -> Bool,
    _ deliver: @escaping (UnsafeBufferPointer<Value>) -> Failure?
  ) -> Signal<Value> {
    lift("batch") { BatchStage($0, isUrgent, deliver) }
  }
}

extension Subject {
  /// Sends several values as one batch (`subscribe(nextBatch:)`), otherwise like `next`.
  ///
  /// - Returns: the code of the first value that was refused, after which the others are dropped;
  ///   otherwise the code of the last value.
  @discardableResult
  public final func next(contentsOf values: some Sequence<Value>) -> Code {
    var code = Code.ok
    Batch.begin()
    for value in values {
      code = emit(value)
      if code.isFailure { break }
    }
    Batch.end()
    return code
  }
}

#if !hasFeature(Embedded)
  extension Signal {
    /// Subscribes a closure that gets the values of a batch together, borrowed, at most 256 at a
    /// time. A batch is made of the values of `from`, `range` and `repeat`, of `next(contentsOf:)`,
    /// of one read of a file, or of what other threads sent before one turn of a loop. A value
    /// outside a batch comes alone; that of a shared source may come with the batch that another
    /// thread is sending there. A signal, such as a window or a group, comes at once, with the values
    /// that have gathered, because it keeps no values for later. An end comes after all values. A
    /// disposal drops the values that have not been delivered.
    ///
    /// Operators upstream have handled the whole batch before `nextBatch` is called.
    @discardableResult
    public final func subscribe(
      owner: OwnerRecord? = nil, nextBatch: @escaping (UnsafeBufferPointer<Value>) -> Void,
      error: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil,
      disposed: (() -> Void)? = nil
    ) -> Disposable {
      batched(isUrgent: { $0 is AnySignal }) { values in
        nextBatch(values)
        return nil
      }
      .subscribe(owner: owner, error: error, completed: completed, disposed: disposed)
    }
  }

  extension Subscriber {
    /// Sends several values as one batch (`subscribe(nextBatch:)`), otherwise like `next`.
    ///
    /// - Returns: the code of the first value that was refused, after which the others are dropped;
    ///   otherwise the code of the last value.
    public func next(contentsOf values: some Sequence<Value>) -> Code {
      var code = Code.ok
      Batch.begin()
      for value in values {
        code = next(value)
        if code.isFailure { break }
      }
      Batch.end()
      return code
    }
  }
#endif

/// The largest number of values in one call.
private let mostAtOnce = 256

/// Gathers the values of a batch and delivers them in one call.
private final class BatchStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let isUrgent: (Value) -> Bool
  private let deliver: (UnsafeBufferPointer<Value>) -> Failure?
  private var gathered: [Value] = []
  /// The values being delivered; its memory is used again.
  private var batch: [Value] = []
  private var isAwaited = false
  private var isDelivering = false
  /// The end, which follows the values. Nothing comes after it.
  private var lateEnd: End?

  init(
    _ downstream: Sink<Value>, _ isUrgent: @escaping (Value) -> Bool,
    _ deliver: @escaping (UnsafeBufferPointer<Value>) -> Failure?
  ) {
    self.isUrgent = isUrgent
    self.deliver = deliver
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if lateEnd != nil { return }
    keep(value)
    gathered.append(value)
    if gathered.count < mostAtOnce && !isUrgent(value) {
      if !isAwaited { isAwaited = Batch.tell(self) }
      if isAwaited { return }
    }
    deliverGathered()
  }

  /// Called when the batch is over. The thread may have left this home meanwhile.
  override func receive(_ message: inout Message, isCanceled: Bool) {
    root.home?.perform { self.endBatch() }
  }

  private func endBatch() {
    isAwaited = false
    let begun = SlowCallbackHook.begin()
    delivering { deliverGathered() }
    SlowCallbackHook.end(begun, root)
  }

  /// Delivers until nothing is left. A call from inside returns at once, because the outer one
  /// delivers what has come meanwhile.
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

  /// Delivers in parts, because more values than the limit may have been sent from inside a
  /// delivery.
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
      if lateEnd == nil { lateEnd = end }
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
