import CBelayShim

/// Counts the events that a thread delivers for other threads, so that these cannot hold it for good.
/// When the stint is over, the thread leaves its place for a moment, and another thread that comes
/// delivers the events that wait.
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
