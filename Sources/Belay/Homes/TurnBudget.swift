/// The budget of one source in a turn of a loop, or in a job of the host's loop or of an actor. It lets
/// the others have their turn, too. The source looks at the clock after each 128 events. When the turn
/// has lasted for a millisecond then, the rest waits for the next one.
package struct TurnBudget {
  private static var events: Int { 128 }
  private static var nanoseconds: Int64 { 1_000_000 }

  /// When the turn began.
  package let began: Instant
  private var left = events

  package init(since began: Instant) { self.began = began }

  /// Whether so many events can spend a budget.
  package static func isNeeded(for count: Int) -> Bool { count > events }

  /// Counts an event. Answers whether the budget is spent.
  package mutating func isSpent() -> Bool {
    left &-= 1
    if left > 0 { return false }
    left = Self.events
    return MonotonicClock.now - began >= Self.nanoseconds
  }
}
