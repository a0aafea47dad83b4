/// What its home lists, and ends when it closes.
open class Resident: Upstream, @unchecked Sendable {
  /// Its place in the list, if it is there.
  package final var residence = Resident.nowhere
  static var nowhere: UInt32 { .max }
  @inline(__always)
  package final var isListed: Bool { residence != Resident.nowhere }

  /// Whether it still has something to end. A message that has it listed may come late.
  package var isWanted: Bool { !isClosed }

  /// The home is closing: the subscriptions here end without an event.
  package func interrupt() {}

  /// Tells `report` of each subscription, for a close.
  package func describeSubscriptions(_ report: (Link) -> Void) {}
}

/// What a home ends by a closure.
package final class ClosureResident: Resident, @unchecked Sendable {
  private let end: () -> Void

  package init(_ end: @escaping () -> Void) {
    self.end = end
    super.init()
  }

  package override func interrupt() { end() }
}

/// A subscription that waits at its home for what is kept elsewhere, and so for nothing that the home
/// would find when it closes.
final class WaitingResident: Resident, @unchecked Sendable {
  private unowned(unsafe) let subscription: Link
  private let place: Home
  private let end: () -> Void

  /// - Parameter end: ends the subscription without an event.
  init(_ subscription: Link, at home: Home, end: @escaping () -> Void) {
    self.subscription = subscription
    place = home
    self.end = end
    super.init()
  }

  /// Whether the home knows of it.
  var isWaiting = false {
    didSet {
      if isWaiting == oldValue { return }
      if isWaiting { place.list(self) } else { place.unlist(self) }
    }
  }

  override var isWanted: Bool { isWaiting }
  override func interrupt() { if isWaiting { end() } }
  override func describeSubscriptions(_ report: (Link) -> Void) { report(subscription) }
}
