import CBelayShim

/// Where a subscription comes from.
public struct Origin: Sendable {
  /// The name and the place that a report gives it.
  public var label: StaticSite?
  public var site: StaticSite?
  /// Where one subscribed, below an asynchronous boundary to another home.
  public var home: Home?

  public init(label: StaticSite? = nil, site: StaticSite? = nil, home: Home? = nil) {
    self.label = label
    self.site = site
    self.home = home
  }
}

/// What a link hangs on: a source, or the stage above it.
open class Upstream: Disposable, @unchecked Sendable {
  /// Where the links below are called. Nil: at once, wherever that is.
  package var home: Home? { nil }

  /// Whether this thread is the home's; yes where there is no home to be at.
  package var isHere: Bool { home?.isCurrent ?? true }

  /// The name of the signal down to here, for reports.
  package var chainName: Text { "signal" }

  open var origin: Origin { Origin() }

  /// `link`, which is closed, needs no more events. `afterEnd` tells the order of tearing down:
  /// after a terminal event from the last stage to the first, at a disposal from the first on.
  package func detach(_ link: Link, afterEnd: Bool) {}
}

/// One place along a running subscription: hangs on what is above it.
open class Link: Upstream, @unchecked Sendable {
  // Counted by hand: a copy would be counted each time that one asks it something.
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

  /// Sets `upstream`.
  @inline(__always)
  final func hang(on upstream: Upstream) { hang(onHeld: .passRetained(upstream)) }

  /// The same; the reference becomes this link's.
  @inline(__always)
  final func hang(onHeld upstream: Unmanaged<Upstream>) {
    let old = above
    above = upstream
    old?.drop()
  }

  package override var isHere: Bool { above?._withUnsafeGuaranteedRef { $0.isHere } ?? true }

  /// What is above a link that is `direct`.
  @inline(__always)
  final func withEmitter<Value, Result>(
    of type: Value.Type, _ body: (Emitter<Value>) -> Result
  ) -> Result {
    above.unsafelyUnwrapped._withUnsafeGuaranteedRef {
      body(unsafeDowncast($0, to: Emitter<Value>.self))
    }
  }

  /// Tells what is above, which is known on.
  package final func unsubscribe(afterEnd: Bool) {
    above?._withUnsafeGuaranteedRef { $0.detach(self, afterEnd: afterEnd) }
  }

  package override var home: Home? { upstream?.home }
  package override var chainName: Text { upstream?.chainName ?? "signal" }

  /// Lets go of what is above.
  package final func disconnect(afterEnd: Bool) {
    let above = upstream
    upstream = nil
    above?.detach(self, afterEnd: afterEnd)
  }
}
