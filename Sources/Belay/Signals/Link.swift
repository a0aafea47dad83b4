import CBelayShim

/// How a subscription began, for reports and asynchronous boundaries.
@_spi(Engine) public struct Origin: Sendable {
  /// The name and the line of code that reports give the subscription.
  public var label: StaticSite?
  public var site: StaticSite?
  /// The home where the subscriber subscribed, if an asynchronous boundary leads to another home.
  /// The boundary retains it. Unmanaged, because a copy of a name would count.
  public var home: Unmanaged<Home>?

  public init(
    label: StaticSite? = nil, site: StaticSite? = nil, home: Unmanaged<Home>? = nil
  ) {
    self.label = label
    self.site = site
    self.home = home
  }

  /// The same, with the parts of `other` where this has none.
  @inline(never)
  package func or(_ other: Origin) -> Origin {
    Origin(label: label ?? other.label, site: site ?? other.site)
  }
}

/// A source or a stage. The link below hangs on it.
@_spi(Engine) open class Upstream: Disposable, @unchecked Sendable {
  /// The home where the links below are called. Nil: on any thread, at once.
  package var home: Home? { nil }

  /// The name of the signal down to this point, for reports.
  package var chainName: Text { "signal" }

  open var origin: Origin { Origin() }

  /// Called by `link`, which is closed and needs no more events. After a terminal event, the stages
  /// tear down from the last to the first; at a disposal, from the first to the last.
  package func detach(_ link: Link, afterEnd: Bool) {}
}

/// A part of a running subscription that hangs on an upstream.
@_spi(Engine) open class Link: Upstream, @unchecked Sendable {
  // Counted by hand, because Swift would count a copy at each use.
  private final var above: Unmanaged<Upstream>?

  deinit { above?.drop() }

  package final var upstream: Upstream? {
    get { above?.takeUnretainedValue() }
    set {
      if let newValue { return hang(on: newValue) }
      let old = above
      above = nil
      old?.drop()
    }
  }

  /// Sets `upstream`, and retains it.
  @inline(__always)
  final func hang(on upstream: Upstream) { hang(onHeld: .passRetained(upstream)) }

  /// The same, but takes over the caller's reference.
  @inline(__always)
  final func hang(onHeld upstream: Unmanaged<Upstream>) {
    let old = above
    above = upstream
    old?.drop()
  }

  /// Calls `body` with the emitter above a link that is `direct`.
  @inline(__always)
  final func withEmitter<Value, Result>(
    of type: Value.Type, _ body: (Emitter<Value>) -> Result
  ) -> Result {
    above.unsafelyUnwrapped._withUnsafeGuaranteedRef {
      body(unsafeDowncast($0, to: Emitter<Value>.self))
    }
  }

  /// The source at the top, unless a part that is no link is between.
  final var topSource: Source? {
    let above = upstream
    if let link = above as? Link { return link.topSource }
    return above as? Source
  }

  /// Detaches from the upstream, and keeps the reference to it.
  package final func unsubscribe(afterEnd: Bool) {
    above?._withUnsafeGuaranteedRef { $0.detach(self, afterEnd: afterEnd) }
  }

  package override var home: Home? { upstream?.home }
  package override var chainName: Text { upstream?.chainName ?? "signal" }

  /// The name in a close's report: its own, else that of `source`.
  @inline(never)
  final func origin(or source: Source?) -> Origin {
    origin.or(Origin(label: source?.label, site: source?.site))
  }

  /// The name of the subscription in reports: its own, else that of its signals.
  final var reportName: Text { origin.label?.text ?? chainName }

  /// Detaches from the upstream, and releases it.
  package final func disconnect(afterEnd: Bool) {
    let above = upstream
    upstream = nil
    above?.detach(self, afterEnd: afterEnd)
  }
}
