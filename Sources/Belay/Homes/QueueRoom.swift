import CBelayShim
import Synchronization

/// Lets senders wait for room in a queue that another thread empties.
///
/// One counter serves all queues, because senders seldom wait. Each looks again whenever a queue has
/// got room.
package enum QueueRoom {
  private static let sleepers = Atomic<UInt32>(0)
  private static let count = Atomic<UInt32>(0)

  /// Calls `send` again and again while it answers `.again` because the queue of `home` is full.
  ///
  /// - Parameter limit: in nanoseconds; negative: without limit.
  /// - Returns: what `send` answered last; `.timedOut`; `.deadlock` on the thread of `home`, where
  ///   others may wait for the calling thread, and when the thread of `home` waits for it.
  package static func wait(
    at home: Home, atMost limit: Int64, _ send: () -> Code
  ) -> Code {
    let code = send()
    if code != .again { return code }
    if !home.letsThisThreadSleep { return .deadlock }
    let deadline = limit < 0 ? Int64.max : MonotonicClock.now.addingSaturated(limit)
    // Counted before the attempt, so that a thread that empties the queue after it, under the queue's
    // lock, sees the count.
    sleepers.wrappingAdd(1, ordering: .relaxed)
    defer { sleepers.wrappingSubtract(1, ordering: .relaxed) }
    while true {
      let seen = count.load(ordering: .acquiring)
      let code = send()
      if code != .again { return code }
      let left = limit < 0 ? -1 : deadline - MonotonicClock.now
      if limit >= 0 && left <= 0 { return .timedOut }
      if !Quiescence.beginSleep(forRoomAt: home) { return .deadlock }
      withUnsafePointer(to: count) { _ = belay_shim_wait($0, seen, left) }
      Quiescence.endSleep()
    }
  }

  /// Wakes those that wait. Called under the lock of a queue that has got room, or has closed; and
  /// when a thread begins to wait for another, which may be one of them.
  @inline(__always)
  static func changed() {
    if sleepers.load(ordering: .relaxed) != 0 { wake() }
  }

  @inline(never)
  private static func wake() {
    count.wrappingAdd(1, ordering: .releasing)
    withUnsafePointer(to: count) { belay_shim_wake($0, Int32.max) }
  }
}

extension Home {
  /// Whether the calling thread may sleep until another one makes room here. A thread with a loop,
  /// or in work of a pool, may not, because others may wait for it.
  final var letsThisThreadSleep: Bool {
    letsSleep && !(Home.currentIfMade?.acceptsMessages ?? false)
  }
}
