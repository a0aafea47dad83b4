extension Signal {
  /// Signals of `count` values each, of which one begins at the subscription and one with every
  /// `skip`th value (nil: when the one before is full). They end with the source, and are
  /// interrupted when this subscription is disposed of; values that nobody listens to are dropped.
  public final func window(_ count: Int, skip: Int? = nil) -> Signal<Signal<Value>> {
    window(count, skip: skip ?? count) { $0 }
  }

  /// A signal for every `span`; with a `count` the next one begins as soon as that many values have
  /// come, which starts the time anew. They end as those by count do.
  public final func window(
    every span: Duration, count: Int = 0, on scheduler: Scheduler
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
    let count = count > 0 ? count : .max
    return lift("window_time", startsAnywhere: false) {
      WindowStage($0, count, count, (scheduler, span), gather)
    }
  }
}

private final class WindowStage<Value, Output>: Stage<Value, Output>, @unchecked Sendable {
  private let count: Int
  private let skip: Int
  private let time: (scheduler: Scheduler, span: Int64)?
  private let gather: (Signal<Value>) -> Output
  private var options = SourceOptions(label: "window")
  /// The open ones, oldest first.
  private var windows: [PublishSubject<Value>] = []
  /// The number of the next value; with a time it begins anew with each window.
  private var position = 0
  private var alarm: Alarm?
  /// What is sent while the time's window is delivered comes after it.
  private var pending = PendingEvents<Value>()
  private var isRinging = false

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
      // The time is told elsewhere, and would not find the way here.
      guard Alarm.reaches(home, from: time.scheduler) else { return .noHome }
      alarm = Alarm(time.scheduler, at: home, in: root, of: self) { [unowned(unsafe) self] in
        self.ring()
      }
      let code = alarm?.set(after: time.span) ?? .ok
      if code.isFailure { return code }
    }
    upstream = SilentSource("window", home)
    entering { self.open() }
    if isDisposed { return .ok }
    let code = source.connect(self, at: home)
    if code.isFailure { enterEnd(.failed(Failure(code))) }
    return .ok
  }

  private func open() {
    let window = PublishSubject<Value>(options)
    windows.append(window)
    let output = gather(window)
    downstream.next(output)
    discard(output)
  }

  /// The time is over, or the window full.
  private func turn() {
    endAll(.completed)
    position = 0
    if !isDisposed { open() }
    guard !isDisposed, let time, let alarm else { return }
    let code = alarm.set(after: time.span)
    if code.isFailure { end(.failed(Failure(code))) }
  }

  private func ring() {
    isRinging = true
    turn()
    while let event = pending.popFirst() {
      switch event {
      case .value(let value):
        take(value)
        discard(value)
      case .end(let end): take(end)
      }
    }
    isRinging = false
  }

  override func next(_ value: Value) {
    if isRinging {
      // The source is bounded by its own queue; here nothing may be lost.
      _ = pending.append(value, .queue, capacity: .max)
    } else {
      take(value)
    }
  }

  private func take(_ value: Value) {
    for window in windows where !isDisposed { window.next(value) }
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

  override func end(_ end: End) {
    if isRinging { pending.append(end) } else { take(end) }
  }

  private func take(_ end: End) {
    endAll(end)
    if !isDisposed { downstream.end(end) }
  }

  private func endAll(_ end: End) {
    let open = windows
    windows = []
    for window in open { _ = window.emit(end) }
  }

  override func tearDown() {
    alarm?.cancel()
    pending.removeAll()
    endAll(.interrupted)
  }
}
