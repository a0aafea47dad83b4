extension Signal {
  /// Sends signals, windows, of `count` values each. One begins at the subscription, and one with
  /// every `skip`th value (nil: when the one before is full). They end with the source, and are
  /// interrupted when this subscription is disposed of. Values without a subscriber are dropped.
  public final func window(_ count: Int, skip: Int? = nil) -> Signal<Signal<Value>> {
    window(count, skip: skip ?? count) { $0 }
  }

  /// Sends a window for every `span` (> 0, else `.invalid`). The next one also begins as soon as
  /// `count` values have come, which restarts the period. They end as windows by count do.
  public final func window(
    every span: Duration, count: Int = .max, on scheduler: Scheduler
  ) -> Signal<Signal<Value>> {
    .timed(by: span) { window(every: $0, count: count, on: scheduler) { $0 } }
  }

  package final func window<Output>(
    _ count: Int, skip: Int, gather: @escaping (Signal<Value>) -> Output
  ) -> Signal<Output> {
    lift("window", startsAnywhere: false) {
      WindowStage($0, Swift.max(1, count), Swift.max(1, skip), nil, gather)
    }
  }

  package final func window<Output>(
    every span: Int64, count: Int, on scheduler: Scheduler,
    gather: @escaping (Signal<Value>) -> Output
  ) -> Signal<Output> {
    let count = Swift.max(1, count)
    return lift(bounded: "window_time", startsAnywhere: false) {
      WindowStage($0, count, count, (scheduler, span, $1), gather)
    }
  }
}

/// Keeps a subject for each open window, and sends each value into all of them.
private final class WindowStage<Value, Output>: Stage<Value, Output>, @unchecked Sendable {
  private let count: Int
  private let skip: Int
  private let time: (scheduler: Scheduler, span: Int64, limit: QueueLimit)?
  private let gather: (Signal<Value>) -> Output
  private var options = SourceOptions(label: "window")
  /// The open windows, the oldest first.
  private var windows: ReferenceArray<PublishSubject<Value>> = []
  /// The number of the next value. With a period, it is counted anew in each window.
  private var position = 0
  private var timer: RearmableTimer?
  /// With a period: the values that come from inside while windows are called. A completion among
  /// them stands for the end of the period.
  private var waiting = PendingEvents<Value>()
  /// The end, which follows what waits. Nothing comes after it.
  private var lastEnd: End?
  private var isBusy = false

  deinit { waiting.removeAll() }

  init(
    _ downstream: Sink<Output>, _ count: Int, _ skip: Int,
    _ time: (Scheduler, Int64, QueueLimit)?, _ gather: @escaping (Signal<Value>) -> Output
  ) {
    self.count = count
    self.skip = skip
    self.time = time
    self.gather = gather
    super.init(downstream)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    options.home = home
    if let time {
      timer = RearmableTimer(time.scheduler, at: home, in: root, of: self) {
        [unowned(unsafe) self] in
        self.ring()
      }
      let code = timer?.start(after: time.span) ?? .ok
      if code.isFailure { return code }
    }
    upstream = SilentSource("window", home)
    delivering {
      isBusy = time != nil
      open()
      proceed()
    }
    if isDisposed { return .ok }
    let code = source.connect(self, at: home)
    if code.isFailure { deliverEnd(.failed(Failure(code))) }
    return .ok
  }

  private func open() {
    let window = PublishSubject<Value>(options)
    windows.append(window)
    let output = gather(window)
    pass(output)
    discard(output)
  }

  /// Ends the window, because it is full or its period is over, and opens the next one.
  private func openNext() {
    position = 0
    // First, because time that passes inside belongs to the new period.
    if let time, let timer {
      let code = timer.set(after: time.span)
      if code.isFailure { return endWindowsAndPass(.failed(Failure(code))) }
    }
    endAll(.completed)
    if !isDisposed { open() }
  }

  // Values and the timer come from two sides, and a subscriber may advance the time.

  override func next(_ value: Value) {
    if isBusy { return wait(value) }
    isBusy = time != nil
    admit(value)
    proceed()
  }

  @inline(never)
  private func wait(_ value: Value) {
    guard let limit = time?.limit, lastEnd == nil else { return }
    if limit.refuses(after: waiting.valueCount) { return lastEnd = limit.refusal }
    _ = waiting.append(value, .queue, capacity: .max)
  }

  override func end(_ end: End) {
    if lastEnd == nil { lastEnd = end }
    if isBusy { return }
    isBusy = time != nil
    proceed()
  }

  private func ring() {
    if lastEnd != nil { return }
    waiting.append(.completed)
    if isBusy { return }
    isBusy = true
    proceed()
  }

  /// Handles what waits, then the end.
  private func proceed() {
    while let event = waiting.popFirst() {
      if case .value(let value) = event {
        if !takesNoMore { admit(value) }
        discard(value)
      } else if !takesNoMore && !(timer?.isSet ?? false) {
        // A full window may have restarted the period meanwhile.
        openNext()
      }
    }
    if !takesNoMore, let lastEnd { endWindowsAndPass(lastEnd) }
    isBusy = false
  }

  private func admit(_ value: Value) {
    for window in windows where !isDisposed { window.pass(value) }
    if isDisposed { return }
    let number = position
    position += 1
    if time != nil {
      if position >= count { openNext() }
      return
    }
    let begun = number - count + 1
    if begun >= 0 && begun % skip == 0 && !windows.isEmpty {
      windows.removeFirst().completed()
    }
    if position % skip == 0 && !isDisposed { open() }
  }

  private func endWindowsAndPass(_ end: End) {
    endAll(end)
    pass(end: end)
  }

  private func endAll(_ end: End) {
    for window in windows.takeAll() { _ = window.emit(end) }
  }

  override func tearDown() {
    timer?.cancel()
    waiting.removeAll()
    endAll(.interrupted)
  }
}
