/// The homes at which the events of a signal arrive, and at which its subscriptions start. A signal
/// sets its route when it is made, and derives it from the routes of its sources.
package struct Route: @unchecked Sendable {
  /// Where events arrive if the subscriber asks for no home.
  package enum Arrival: UInt8 {
    /// At the home of the thread that subscribes.
    case atSource
    /// At the loop of the thread that subscribes. If it has none: on the threads that send, one event
    /// at a time.
    case atLoopElseAnywhere
    /// On the threads that send, one event at a time.
    case anywhere

    /// Where the events of an operator arrive that has several sources, or a timer.
    @inline(never)
    static func joined(_ source: AnySignal?, _ others: [AnySignal] = []) -> Arrival {
      var isSentAnywhere = source?.route.arrival ?? .atSource != .atSource
      for other in others where other.route.arrival != .atSource { isSentAnywhere = true }
      return isSentAnywhere ? .atLoopElseAnywhere : .atSource
    }
  }

  package var arrival = Arrival.atSource

  /// Whether the signal is itself the source that subscriptions hang on.
  package var isSource = false

  /// Whether all operators below the asynchronous boundary to `landingHome` can be attached on any
  /// thread, because they only connect to their sources.
  var startsFromAfar = false

  // The signal, or one above it, retains both.
  private var source: Unmanaged<Home>?
  fileprivate var landing: Unmanaged<Landing>?

  package init(_ arrival: Arrival = .atSource) { self.arrival = arrival }

  /// The route of a signal whose subscriptions hang on a source at `home`.
  init(to home: Home?, _ arrival: Arrival) {
    self.arrival = arrival
    source = home.map { .passUnretained($0) }
  }

  /// The route of a signal whose subscriptions start on the thread that subscribes, below the
  /// asynchronous boundary of `route`, if that has one.
  init(_ arrival: Arrival, below route: Route?) {
    self.arrival = arrival
    landing = route?.landing
  }

  /// The route of an asynchronous boundary.
  init(across landing: Landing) {
    self.landing = .passUnretained(landing)
    startsFromAfar = true
  }

  /// The route of an operator that only connects to the signal of this route.
  var listening: Route {
    var route = self
    route.isSource = false
    return route
  }

  /// The home of the source, if there is one source and all operators only connect to it.
  package var sourceHome: Home? { source?.takeUnretainedValue() }

  /// The home to which `observe(on:)` carries the events, also if the subscriber asks for another one.
  /// Nil without such an operator.
  package var landingHome: Home? {
    if let landing { landing._withUnsafeGuaranteedRef { $0.findHome() } } else { nil }
  }
}

/// Finds the home to which an asynchronous boundary carries events. Each subscription asks for it,
/// because the home of some schedulers depends on the thread.
final class Landing: @unchecked Sendable {
  private let scheduler: Scheduler
  /// The boundary above, for a scheduler that has no home.
  private let previous: Unmanaged<Landing>?

  init(_ scheduler: Scheduler, after route: Route) {
    self.scheduler = scheduler
    previous = route.landing
  }

  @inline(never)
  fileprivate func findHome() -> Home? {
    if let home = scheduler.home { return home }
    var previous = previous
    while let landing = previous {
      if let home = landing._withUnsafeGuaranteedRef({ $0.scheduler.home }) { return home }
      previous = landing._withUnsafeGuaranteedRef { $0.previous }
    }
    return nil
  }
}
