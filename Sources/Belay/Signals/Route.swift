/// Where the events of a signal come, and where its subscriptions begin: what a signal says of itself
/// when it is made, from what its sources say.
package struct Route: @unchecked Sendable {
  /// Where events come, if nothing else is asked for.
  package enum Arrival: UInt8 {
    /// At the home of whoever subscribes.
    case atSource
    /// At the loop of whoever subscribes; without one on their senders' threads, one at a time.
    case atLoopElseAnywhere
    /// On their senders' threads, one at a time.
    case anywhere

    /// Where events come that are made of several signals', or at a time.
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

  /// Whether all that is below the asynchronous boundary to `landingHome` only listens, so that it can be
  /// attached on any thread.
  var startsFromAfar = false

  // The signal keeps both, or a signal that it stands on does.
  private var source: Unmanaged<Home>?
  fileprivate var landing: Unmanaged<Landing>?

  package init(_ arrival: Arrival = .atSource) { self.arrival = arrival }

  /// Of what hangs on a source at `home` with nothing to do when it is attached.
  init(to home: Home?, _ arrival: Arrival) {
    self.arrival = arrival
    source = home.map { .passUnretained($0) }
  }

  /// Of what begins on the thread that subscribes, below another signal's asynchronous boundary.
  init(_ arrival: Arrival, below route: Route?) {
    self.arrival = arrival
    landing = route?.landing
  }

  /// Of a signal that is an asynchronous boundary itself.
  init(across landing: Landing) {
    self.landing = .passUnretained(landing)
    startsFromAfar = true
  }

  /// Of what only listens to the signal of this route.
  var listening: Route {
    var route = self
    route.isSource = false
    return route
  }

  /// The home of the source that subscriptions hang on, where there is one source and nothing has
  /// to happen when they are attached.
  package var sourceHome: Home? { source?.takeUnretainedValue() }

  /// The home to which events are carried, whatever was asked for (`observe(on:)`); nil: none.
  package var landingHome: Home? {
    if let landing { landing._withUnsafeGuaranteedRef { $0.findHome() } } else { nil }
  }
}

/// Where an asynchronous boundary carries events to. Asked at each subscription: the home of some
/// schedulers depends on the thread.
final class Landing: @unchecked Sendable {
  private let scheduler: Scheduler
  /// The boundary before it, which carries where this one does not.
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
