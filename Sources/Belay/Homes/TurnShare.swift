/// What one source may do in one turn of a loop, or in one job of the host's loop or of an actor, so that the
/// others have their turn, too. It looks at the clock after each 128 events. When the turn has lasted for a
/// millisecond then, the rest waits for the next one.
package struct TurnShare {
  package static var events: Int { 128 }
  private static var nanoseconds: Int64 { 1_000_000 }

  /// When the turn began.
  package let began: Instant
  private var left = events

  package init(since began: Instant) { self.began = began }

  /// Counts an event. Answers whether the share is used up.
  package mutating func ends() -> Bool {
    left &-= 1
    if left > 0 { return false }
    left = Self.events
    return MonotonicClock.now - began >= Self.nanoseconds
  }
}
