import Belay
import CBelayShim

/// What time it is for a loop.
struct LoopClock {
  /// The time of the phase of the turn that is under way.
  private var phase: Instant?
  /// The latest time that a delay was counted from.
  private var recent: Instant = 0

  /// The time, which stays the same until `forget` when it `isKept`.
  mutating func now(isKept: Bool) -> Instant {
    if let phase { return phase }
    let now = MonotonicClock.now
    if isKept { phase = now }
    return now
  }

  /// The next phase of the turn begins.
  mutating func forget() { phase = nil }

  /// No more than a tick of the system's coarse clock, some milliseconds, older than the time.
  /// Reading that clock costs a fraction of reading the precise one.
  mutating func recentTime() -> Instant {
    if belay_shim_coarse() >= recent { recent = MonotonicClock.now }
    return max(recent, phase ?? recent)
  }
}
