import CBelayShim

/// A stream of values: `next* (error | completed)?`.
///
/// A cold signal runs its producer once for each subscription. A hot signal sends each event to all
/// its subscribers. The callbacks of a subscription run at its home (`Home`), in the order that
/// ReactiveX prescribes; see docs/architecture.md.
open class Signal<Value>: AnySignal, @unchecked Sendable {
  /// Attaches `sink`, whose subscription is at `home`; the calling thread is at that home. After a
  /// failure, nothing has been sent and the sink is not attached.
  package func attach(_ sink: Sink<Value>, at home: Home) -> Code { .invalid }

  /// Attaches `sink`, and gives the subscription the name that the program gave the signal, if it
  /// did. Fails with `.range` when there are too many operators below, or when too many connections
  /// are being made inside each other: operators call each other, which takes stack.
  package final func connect(_ sink: Sink<Value>, at home: Home) -> Code {
    let own = Thread.own
    guard isShortEnough, Int(sink.level) < Self.mostOperators,
      own.pointee.connects < Self.mostOperators
    else { return .range }
    own.pointee.connects += 1
    defer { own.pointee.connects -= 1 }
    guard let givenName else { return attach(sink, at: home) }
    let tag = NameTag(sink, givenName)
    sink.upstream = tag
    let code = attach(tag, at: home)
    if code.isFailure { sink.upstream = nil }
    return code
  }

  /// The home of a subscription. `requested` is the one that the subscriber asks for, if it does. A shared
  /// source follows it only if the program has named it.
  package final func subscriptionHome(_ requested: Home?, isNamed: Bool = false) -> Home {
    if !isShortEnough { return requested ?? Home.current }
    if let landingHome = route.landingHome { return landingHome }
    switch route.arrival {
    case .atSource: return requested ?? Home.current
    case .anywhere: return (isNamed ? requested : nil) ?? route.sourceHome ?? SharedHome()
    case .atLoopElseAnywhere: return loopElseAnywhere(requested)
    }
  }

  /// The home of a subscription whose events another copy of the library queues.
  package final var homeForAnotherCopy: Home {
    let home = subscriptionHome(nil)
    return home.acceptsMessages || home.isShared ? home : loopElseAnywhere(nil)
  }

  private final func loopElseAnywhere(_ requested: Home?) -> Home {
    let home = requested ?? Home.current
    return home.acceptsMessages ? home : route.sourceHome ?? SharedHome()
  }

  /// Whether a subscription at `home` hangs on its source with nothing between. Both have that home.
  package final func hangsDirectly(at home: Home) -> Bool {
    route.isSource && !hasGivenName && route.sourceHome === home
  }

  /// Sends a value into a subject. Fails with `.wrongKind` for any other signal.
  package func emit(_ value: Value) -> Code { .wrongKind }
  /// The same, and waits while a queue is full. `limit` is in nanoseconds; negative: without limit.
  package final func emit(_ value: Value, waitingAtMost limit: Int64) -> Code {
    guard let home = route.sourceHome else { return emit(value) }
    return QueueRoom.wait(at: home, atMost: limit) { emit(value) }
  }
  /// Sends an end into a subject, in the same way.
  package func emit(_ end: End) -> Code { .wrongKind }

  /// Whether the source is at this thread, and no message from another thread can reach it, because
  /// the thread has no loop.
  private final var isReachableOnlyFromHere: Bool {
    route.sourceHome.map { $0.isCurrent && !$0.acceptsMessages } ?? false
  }

  /// Starts `subscription` at `home`. If this thread is not at that home, posts the start to it.
  ///
  /// - Parameter origin: the home at which the subscriber subscribed. Nil for this thread's home.
  package final func start(
    _ subscription: Subscription<Value>, at home: Home, from origin: Home? = nil
  ) -> Code {
    if !isShortEnough { return subscription.abandonStart(.range) }
    if home.isClosing { return subscription.abandonStart(.canceled) }
    if !home.isCurrent, let code = home.onActor({ start(subscription, at: home, from: origin) }) {
      return code
    }
    if route.landingHome === home {
      let origin = origin ?? Home.current
      if origin !== home { return start(subscription, at: home, upstreamAt: origin) }
    }
    if home.isCurrent || isReachableOnlyFromHere {
      return subscription.start(self, at: home)
    }
    if home.isShared {
      let shared = unsafeDowncast(home, to: SharedHome.self)
      if shared.enter() {
        let code = subscription.start(self, at: home)
        shared.leave()
        return code
      }
    } else if !home.acceptsMessages {
      return subscription.abandonStart(.noHome)
    }
    return post(subscription, subscription, to: home)
  }

  /// Posts the start of `subscription`, whose uppermost part is `sink`, to `home`. The subscriber gets
  /// its answer now, so a start that fails there sends an error event.
  private final func post(
    _ subscription: Subscription<Value>, _ sink: Sink<Value>, to home: Home
  ) -> Code {
    let code = home.post(
      { [self] in
        _ = subscription.start(self, by: sink, at: home, failsAsEvent: true)
      },
      orElse: { subscription.deliverEnd(.interrupted) })
    return code.isFailure ? subscription.abandonStart(code) : code
  }

  /// Starts `subscription` below an asynchronous boundary to `home`. The part above the boundary stays
  /// at `origin`.
  private final func start(
    _ subscription: Subscription<Value>, at home: Home, upstreamAt origin: Home
  ) -> Code {
    let tag = OriginTag(subscription, origin)
    if !home.isCurrent && !route.startsFromAfar && home.acceptsMessages {
      return post(subscription, tag, to: home)
    }
    return subscription.start(self, by: tag, at: home)
  }
}
