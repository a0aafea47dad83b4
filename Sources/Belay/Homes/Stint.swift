import CBelayShim

/// Counts what a thread delivers for others, who must not hold it for good. When the stint is over,
/// the thread leaves its place for a moment, and whoever comes delivers first what waits.
struct Stint {
  private var rest = Int(belay_shim_stint)

  /// Counts one more delivery. False if the thread must leave its place instead.
  mutating func takesOne() -> Bool {
    rest -= 1
    return rest >= 0
  }

  /// Called when the thread has left its place. If its stint is over, lets others come, and begins
  /// a new stint; otherwise nothing was left, and the answer is false.
  mutating func offers() -> Bool {
    if rest >= 0 { return false }
    belay_shim_yield()
    self = Stint()
    return true
  }
}
