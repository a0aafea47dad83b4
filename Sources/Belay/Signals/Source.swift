import Synchronization

/// Where events come into running subscriptions: has a home, and is in that home's list.
open class Source: Upstream, @unchecked Sendable {
  package final let ownHome: Home
  public final let label: StaticSite?
  public final let site: StaticSite?
  /// Its place in the home's list.
  package final unowned(unsafe) var nextInHome: Source?
  package final unowned(unsafe) var previousInHome: Source?

  package init(home: Home, label: StaticSite?, site: StaticSite?) {
    ownHome = home
    self.label = label
    self.site = site
    super.init()
    home.register(self)
  }

  deinit { ownHome.unregister(self) }

  package final override var home: Home? { ownHome }
  package final override var isHere: Bool { ownHome.isCurrent }

  /// The home is closing: the subscriptions end without an event.
  package func interrupt() {}

  /// Tells `report` of each subscription, for a close.
  package func describeSubscriptions(_ report: (Link) -> Void) {}
}

/// How a source is made.
public struct SourceOptions: Sendable {
  /// Its name in reports.
  public var label: StaticSite?
  /// Where it was made.
  public var site: StaticSite?
  /// Its home; nil for the calling thread's.
  public var home: Home?
  /// What happens to a value sent from inside a delivery of the same source.
  public var reentrancy: Reentrancy = .queue
  /// How many values wait at most while a delivery is running.
  public var capacity = 1024
  /// No home: sends deliver on the sender's thread, one at a time.
  public var isShared = false
  /// Shared: whether subscriptions whose home has a loop are called there all the same.
  package var prefersHops = false

  public init(label: StaticString? = nil) { self.label = label.map { StaticSite($0) } }
}

/// What happens to a value sent from inside a delivery of the same source.
public enum Reentrancy: Int32, Sendable {
  /// Delivered after the event in progress has reached everybody.
  case queue
  /// Delivered at once; later subscribers see the inner event first.
  case depthFirst
  /// Queued, but only the latest is kept.
  case latest
  /// Refused.
  case reject
}
