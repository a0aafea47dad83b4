/// The part of a turn of a loop, or of a job of the host's loop or of an actor, that one source may
/// use, so that the others have their turn, too. The source looks at the clock after each 128 events.
/// When the turn has lasted for a millisecond then, the rest waits for the next one.
package struct TurnShare {
  private static var events: Int { 128 }
  private static var nanoseconds: Int64 { 1_000_000 }

  /// When the turn began.
  package let began: Instant
  private var left = events

  package init(since began: Instant) { self.began = began }

  /// Whether so many events can take more than one share.
  package static func isNeeded(for count: Int) -> Bool { count > events }

  /// Counts an event. Answers whether the share is used up.
  package mutating func ends() -> Bool {
    left &-= 1
    if left > 0 { return false }
    left = Self.events
    return MonotonicClock.now - began >= Self.nanoseconds
  }
}
