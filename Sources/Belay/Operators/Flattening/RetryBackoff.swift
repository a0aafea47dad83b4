import Synchronization

/// The times between the attempts of `retryBackoff`.
public struct Backoff: Sendable {
  /// The wait before the second attempt, in nanoseconds.
  var first: Double
  /// The ratio of a wait to the one before.
  var factor: Double
  /// The longest wait, in nanoseconds.
  var longest: Double
  /// The part of a wait that is random: 0 is none, 1 is all of it.
  var jitter: Double
  /// Whether a value begins the count and the waits anew.
  var resetsOnValue: Bool

  /// - Parameters:
  ///   - first: the wait before the first new attempt.
  ///   - factor: how much longer each wait is than the one before.
  ///   - longest: no wait is longer.
  ///   - jitter: the part of a wait that is random: 0 is none, 1 is all of it.
  ///   - resetsOnValue: whether a value lets the count and the waits begin anew, with the run that
  ///     has sent it as the first one. (RxJS's resetOnSuccess.)
  public init(
    from first: Duration, factor: Double = 2, upTo longest: Duration, jitter: Double = 0,
    resetsOnValue: Bool = false
  ) {
    self.init(
      nanoseconds: Double(first.nanoseconds), factor, Double(longest.nanoseconds), jitter,
      resetsOnValue)
  }

  package init(
    nanoseconds first: Double, _ factor: Double, _ longest: Double, _ jitter: Double,
    _ resetsOnValue: Bool
  ) {
    self.longest = max(0, longest)
    self.first = min(max(0, first), self.longest)
    self.factor = max(0, factor)
    self.jitter = min(1, max(0, jitter))
    self.resetsOnValue = resetsOnValue
  }

  /// A number for each subscription, so that those that fail at the same time wait differently.
  fileprivate static let subscriptions = Atomic<UInt64>(0)
}

extension Signal {
  /// Subscribes again after an error, when some time has passed, which grows with each error;
  /// `attempts` times in all, and at least once. Then the error is passed on. Values in between
  /// change neither the count nor the times, unless the back-off `resetsOnValue`.
  public final func retryBackoff(
    _ backoff: Backoff, attempts: Int = .max, on scheduler: Scheduler
  ) -> Signal<Value> {
    JunctionSignal("retry_backoff", below: self) {
      BackoffJunction($0, self, backoff, attempts, scheduler, at: $1)
    }
  }
}

/// Runs its source again after an error, when its timer goes off.
private final class BackoffJunction<Value>: SequentialJunction<Value>, @unchecked Sendable {
  private var runs: Runs<Value>
  /// The runs that there were at first. A value sets `runs` back to these. They keep the source also
  /// in the last run, which a value makes the first one again; with one attempt there is nothing to
  /// begin anew.
  private let all: Runs<Value>?
  /// The source for the next run.
  private var upcoming: Signal<Value>?
  private let backoff: Backoff
  private let scheduler: Scheduler
  private var wait: Double
  private var chance: UInt64
  private var timer: RearmableTimer?

  init(
    _ downstream: Sink<Value>, _ source: Signal<Value>, _ backoff: Backoff, _ attempts: Int,
    _ scheduler: Scheduler, at home: Home
  ) {
    runs = Runs(of: source, attempts)
    all = backoff.resetsOnValue && attempts > 1 ? runs : nil
    self.backoff = backoff
    self.scheduler = scheduler
    wait = backoff.first
    chance = Backoff.subscriptions.wrappingAdd(1, ordering: .relaxed).newValue
    super.init(downstream, at: home)
  }

  override func start() {
    let reach = RearmableTimer.reach(ownHome, from: scheduler)
    if reach.isFailure { return downstream.deliverEnd(.failed(Failure(reach))) }
    timer = RearmableTimer(scheduler, at: ownHome, in: downstream.root, of: self) {
      [unowned(unsafe) self] in
      self.begin()
    }
    upcoming = runs.next()
    begin()
  }

  private func begin() {
    if let source = upcoming.take() { follow(with: source) }
  }

  override func innerNext(_ value: Value) {
    if let all {
      runs = all
      // It is the first of them that runs.
      _ = runs.next()
      wait = backoff.first
    }
    send(value)
  }

  override func following(_ end: End) -> Following<Value> {
    guard case .failed = end, let timer else { return .end(end) }
    upcoming = runs.next()
    if upcoming == nil { return .end(end) }
    let span = wait * (1 - backoff.jitter * draw())
    // 0 times infinity is not a number.
    if wait > 0 { wait = min(wait * backoff.factor, backoff.longest) }
    let code = timer.set(after: span < 9.2e18 ? Int64(span) : .max)
    return code.isFailure ? .end(.failed(Failure(code))) : .later
  }

  /// A random number from 0 up to 1, by splitmix64; the clock is part of the seed.
  private func draw() -> Double {
    chance = chance &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(bitPattern: Int64(scheduler.now))
    var bits = chance
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(bits >> 11) / 9_007_199_254_740_992
  }

  override func tearDown() {
    timer?.cancel()
    timer = nil
    super.tearDown()
  }
}
