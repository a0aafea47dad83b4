/// What its home lists, and ends when it closes.
open class Resident: Upstream, @unchecked Sendable {
  /// Its place in the list, if it is there.
  package final var residence = Resident.nowhere
  static var nowhere: UInt32 { .max }
  @inline(__always)
  package final var isListed: Bool { residence != Resident.nowhere }

  /// The home is closing: the subscriptions here end without an event.
  package func interrupt() {}

  /// Tells `report` of each subscription, for a close.
  package func describeSubscriptions(_ report: (Link) -> Void) {}
}
