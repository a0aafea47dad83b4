extension Signal {
  /// Sends the events of the one of `signals` that is the first to send an event, even an end. The
  /// others are disposed of then. Without signals, never sends anything. (amb in other libraries.)
  public static func race(_ signals: [Signal<Value>]) -> Signal<Value> {
    if signals.isEmpty { return .never() }
    return JunctionSignal("race", beside: AnySignal.all(signals)) {
      RaceJunction($0, signals, at: $1)
    }
  }

  /// Sends the events of this signal or of one of `others`: of the first to send an event.
  public final func race(_ others: Signal<Value>...) -> Signal<Value> { .race([self] + others) }
}

/// Connects all inputs, and disposes of all but the first one that sends.
private final class RaceJunction<Value>: Junction<Value>, @unchecked Sendable {
  private var signals: [Signal<Value>]
  private var racers: ReferenceArray<Input<Value>> = []
  private var remaining: Int
  private var winner = -1

  init(_ downstream: Sink<Value>, _ signals: [Signal<Value>], at home: Home) {
    self.signals = signals
    remaining = signals.count
    super.init(downstream, at: home)
  }

  override func start() {
    // Drop the signals now: subscribers must not retain a subject, whose last release interrupts.
    let signals = self.signals
    self.signals = []
    for index in 0..<signals.count where winner < 0 && !isClosed {
      let racer = connect(
        signals[index],
        next: { if self.wins(index) { self.send($0) } },
        end: { self.ended($0, index) })
      if isClosed { return }
      if winner < 0 {
        racers.append(racer)
      } else if winner != index {
        // An earlier one has sent while this was connected.
        racer.dispose()
      }
    }
  }

  /// Makes the input at `index` the winner if there is none, and disposes of the others. Until that is
  /// done, one of them may send an event, which is dropped.
  @inline(never)
  private func wins(_ index: Int) -> Bool {
    if winner < 0 {
      winner = index
      let racers = racers
      self.racers = []
      for other in 0..<racers.count where other != index { racers[other].dispose() }
    }
    return winner == index
  }

  private func ended(_ end: End, _ index: Int) {
    // An interrupted input has sent nothing. The others continue.
    if winner < 0, case .interrupted = end {
      remaining -= 1
      if remaining == 0 { send(end: end) }
      return
    }
    if wins(index) { send(end: end) }
  }

  override func tearDown() { racers = [] }
}
