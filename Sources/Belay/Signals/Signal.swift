import CBelayShim

/// A stream of values: `next* (error | completed)?`.
///
/// A cold signal runs its producer once for each subscription; a hot one sends to whoever is
/// subscribed. A subscription's callbacks all run at its home (`Home`), in the order of ReactiveX;
/// see docs/architecture.md.
open class Signal<Value>: AnySignal, @unchecked Sendable {
  /// Connects `sink` to the running source, at `home`, on whose thread this is called. On a
  /// failure nothing has been sent, and the sink is not attached.
  package func attach(_ sink: Sink<Value>, at home: Home) -> Code { .invalid }

  /// Attaches `sink`, under the name that the signal was given, if it was. `.range` when there are
  /// more operators below than may be, or when as many are being connected inside each other: they
  /// call each other, which takes stack.
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

  /// The home of a subscription for which `requested` was asked, or nothing.
  package final func subscriptionHome(_ requested: Home?) -> Home {
    if !isShortEnough { return requested ?? Home.current }
    if let landingHome = route.landingHome { return landingHome }
    switch route.arrival {
    case .atSource: return requested ?? Home.current
    case .anywhere: return route.sourceHome ?? SharedHome()
    case .atLoopElseAnywhere:
      let home = requested ?? Home.current
      return home.acceptsMessages ? home : route.sourceHome ?? SharedHome()
    }
  }

  /// Whether the signal is a source of the home that is bound to this thread, has not ended, and
  /// has nothing to replay: a subscription made here hangs on it with nothing between.
  package var isSourceHere: Bool { false }

  /// Hangs `subscription`, which nobody knows yet, on the source, for which `isSourceHere` holds.
  /// Calls nothing.
  package func startHere(_ subscription: Sink<Value>) {}

  /// The one value that the signal sends, at once, before it completes: whoever would subscribe for
  /// a moment can have it without. Borrowed, as long as the signal lives.
  package var soleValue: Value? { nil }

  /// Whether a subscription at `home` hangs on its source, of the same home, with nothing between.
  package final func hangsDirectly(at home: Home) -> Bool {
    route.isSource && !hasGivenName && route.sourceHome === home
  }

  /// Sends into the signal, if it is one that is sent into; else `.wrongKind`.
  package func emit(_ value: Value) -> Code { .wrongKind }
  package func emit(_ end: End) -> Code { .wrongKind }
  /// Its current value, if it has one; what was kept is the caller's to discard.
  package func currentValue() -> Value? { nil }
  /// How many subscribe to it, if it is one that is sent into.
  package var sinkCount: Int { 0 }

  /// The key of a group of foreign values, borrowed; else nil.
  package var foreignKey: ForeignValue? { nil }

  /// A source at this thread, which has no loop, could not be attached to from anywhere else.
  private final var isReachableOnlyFromHere: Bool {
    route.sourceHome.map { $0.isCurrent && !$0.acceptsMessages } ?? false
  }

  /// Starts `subscription` at `home`, or, if that is another thread's, has it started there.
  ///
  /// - Parameter origin: where one subscribed; nil: at this thread's home.
  package final func start(
    _ subscription: Subscription<Value>, at home: Home, from origin: Home? = nil
  ) -> Code {
    if !isShortEnough { return subscription.abandonStart(.range) }
    if home.isClosing { return subscription.abandonStart(.canceled) }
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

  /// Has `subscription`, whose uppermost part is `sink`, started at `home`. Whoever subscribed is
  /// told that it began: what comes up there is an event.
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

  /// What is above the asynchronous boundary to `home` stays at `origin`.
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
