import Synchronization

/// The top of a running chain, where events come in. It has a home, which lists it while it has
/// subscribers.
@_spi(Engine) open class Source: Resident, @unchecked Sendable {
  package final let ownHome: Home
  public final let label: StaticSite?
  public final let site: StaticSite?
  /// The largest number of values that ever waited for a delivery in progress.
  final let mark = Atomic<UInt32>(0)

  package init(home: Home, label: StaticSite?, site: StaticSite?) {
    ownHome = home
    self.label = label
    self.site = site
    super.init()
  }

  package final override var home: Home? { ownHome }

  final func note(_ count: Int) { mark.max(UInt32(clamping: count), ordering: .relaxed) }

  /// How many sinks are subscribed.
  package var sinkCount: Int { 0 }
}

/// The options with which a source is made.
public struct SourceOptions: Sendable {
  /// Its name in reports.
  public var label: StaticSite?
  /// The line of code that made it.
  public var site: StaticSite?
  /// Its home; nil for the calling thread's.
  public var home: Home?
  /// The policy for a value sent from inside a delivery of the same source.
  public var reentrancy: Reentrancy = .queue
  /// How many values wait at most while a delivery is running.
  public var capacity = 1024
  /// Whether any thread may send at once: a send delivers on the sender's thread, one at a time.
  package var isShared = false
  /// Shared sources only: whether subscriptions whose home has a loop are called at that home
  /// anyway.
  package var prefersHops = false

  /// The usual options, and a name for reports.
  public init(label: StaticString? = nil) { self.label = label.map { StaticSite($0) } }
}

/// The rule for a value that is sent from inside a delivery of the same source.
public enum Reentrancy: Int32, Sendable {
  /// The value is delivered after the event in progress has reached all subscribers.
  case queue
  /// The value is delivered at once, so later subscribers see it before the outer event.
  case depthFirst
  /// The value waits, but replaces another value that waits.
  case latest
  /// The value is refused.
  case reject
}
