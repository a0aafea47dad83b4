extension Signal {
  /// Sends signals, windows, of `count` values each. One begins at the subscription, and one with
  /// every `skip`th value (nil: when the one before is full). They end with the source, and are
  /// interrupted when this subscription is disposed of. Values without a subscriber are dropped.
  public final func window(_ count: Int, skip: Int? = nil) -> Signal<Signal<Value>> {
    window(count, skip: skip ?? count) { $0 }
  }

  /// Sends a window for every `span`. The next one also begins as soon as `count` values have come,
  /// which restarts the period. They end as windows by count do.
  public final func window(
    every span: Duration, count: Int = .max, on scheduler: Scheduler
  ) -> Signal<Signal<Value>> {
    window(every: span.nanoseconds, count: count, on: scheduler) { $0 }
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
    return lift("window_time", startsAnywhere: false) {
      WindowStage($0, count, count, (scheduler, span), gather)
    }
  }
}

/// Keeps a subject for each open window, and sends each value into all of them.
private final class WindowStage<Value, Output>: Stage<Value, Output>, @unchecked Sendable {
  private let count: Int
  private let skip: Int
  private let time: (scheduler: Scheduler, span: Int64)?
  private let gather: (Signal<Value>) -> Output
  private var options = SourceOptions(label: "window")
  /// The open windows, the oldest first.
  private var windows: [PublishSubject<Value>] = []
  /// The number of the next value. With a period, it is counted anew in each window.
  private var position = 0
  private var timer: RearmableTimer?
  /// With a period: the steps that come, from inside or from the timer, while another one is
  /// performed.
  private var waiting = FIFO<Step>()
  private var isBusy = false
  /// How many steps may wait. Then the error waits that ends the signal.
  private let most = 1024

  /// What comes from the source or from the timer.
  private enum Step {
    case open
    case value(Value)
    case end(End)
    case turn
  }

  deinit { waiting.removeAll() }

  init(
    _ downstream: Sink<Output>, _ count: Int, _ skip: Int, _ time: (Scheduler, Int64)?,
    _ gather: @escaping (Signal<Value>) -> Output
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
      // Otherwise the timer could not call this from the scheduler's home.
      guard RearmableTimer.reaches(home, from: time.scheduler) else { return .noHome }
      timer = RearmableTimer(time.scheduler, at: home, in: root, of: self) {
        [unowned(unsafe) self] in
        self.runInTurn(.turn)
      }
      let code = timer?.set(after: time.span) ?? .ok
      if code.isFailure { return code }
    }
    upstream = SilentSource("window", home)
    delivering { self.runInTurn(.open) }
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
  private func turn() {
    endAll(.completed)
    position = 0
    if !isDisposed { open() }
    guard !isDisposed, let time, let timer else { return }
    let code = timer.set(after: time.span)
    if code.isFailure { endWindowsAndPass(.failed(Failure(code))) }
  }

  override func next(_ value: Value) { runInTurn(.value(value)) }
  override func end(_ end: End) { runInTurn(.end(end)) }

  /// Performs one step after the other, because values and the timer come from two sides, and a
  /// subscriber may advance the time. A value is borrowed.
  private func runInTurn(_ step: Step) {
    if isBusy {
      if waiting.count > most { return }
      if waiting.count == most {
        return waiting.append(
          .end(.failed(Failure(.again, message: "too many values came from inside"))))
      }
      if case .value(let value) = step { keep(value) }
      return waiting.append(step)
    }
    isBusy = time != nil
    perform(step)
    while let step = waiting.popFirst() {
      if !isDisposed { perform(step) }
      if case .value(let value) = step { discard(value) }
    }
    isBusy = false
  }

  private func perform(_ step: Step) {
    switch step {
    case .open: open()
    case .value(let value): admit(value)
    case .end(let end): endWindowsAndPass(end)
    // A full window may have restarted the period meanwhile.
    case .turn: if timer.map({ !$0.isSet }) ?? true { turn() }
    }
  }

  private func admit(_ value: Value) {
    for window in windows where !isDisposed { window.pass(value) }
    if isDisposed { return }
    let number = position
    position += 1
    if time != nil {
      if position >= count { turn() }
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
    let open = windows
    windows = []
    for window in open { _ = window.emit(end) }
  }

  override func tearDown() {
    timer?.cancel()
    endAll(.interrupted)
  }
}
