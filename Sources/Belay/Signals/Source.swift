import Synchronization

/// Where events come into running subscriptions: has a home, and is in that home's list while
/// somebody is subscribed.
open class Source: Resident, @unchecked Sendable {
  package final let ownHome: Home
  public final let label: StaticSite?
  public final let site: StaticSite?

  package init(home: Home, label: StaticSite?, site: StaticSite?) {
    ownHome = home
    self.label = label
    self.site = site
    super.init()
  }

  package final override var home: Home? { ownHome }
  package final override var isHere: Bool { ownHome.isCurrent }
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
