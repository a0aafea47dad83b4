@_spi(Engine) import Belay
import CBelayShim

/// The time of a loop.
struct LoopClock {
  /// The time that was read in the present part of the turn.
  private var kept: Instant?
  /// The time from which a rough delay was last counted.
  private var recent: Instant = 0

  /// The time. If `isKept`, it stays the same until `forget`.
  mutating func now(isKept: Bool) -> Instant {
    if let kept { return kept }
    let now = MonotonicClock.now
    if isKept { kept = now }
    return now
  }

  /// Called when the next part of the turn begins.
  mutating func forget() { kept = nil }

  /// A time that is at most one tick of the system's coarse clock, some milliseconds, out of date.
  /// Reading that clock costs a fraction of reading the precise one.
  mutating func recentTime() -> Instant {
    if belay_shim_coarse() >= recent { recent = MonotonicClock.now }
    return max(recent, kept ?? recent)
  }
}
