import CBelayShim
import Synchronization

/// A mutual exclusion lock of four bytes. Never held while user code runs.
package struct Lock: ~Copyable {
  /// 0 free, 1 held, 2 held with somebody asleep, 3 held briefly.
  private let word = Atomic<UInt32>(0)

  private static var brief: UInt32 { 3 }

  package init() {}

  @inline(__always)
  package borrowing func withLock<Result: ~Copyable>(_ body: () -> Result) -> Result {
    acquire()
    defer { release() }
    return body()
  }

  /// The same, or without the lock where no other thread can be at what it guards.
  @inline(__always)
  package borrowing func withLock<Result: ~Copyable>(
    unless isUnshared: Bool, _ body: () -> Result
  ) -> Result {
    if isUnshared { return body() }
    return withLock(body)
  }

  /// For what takes some stores only, calls nothing but the allocator, and is done often: costs one
  /// atomic operation, for to give it back is a store. Whoever comes meanwhile tries again until
  /// then instead of sleeping, and so has nobody to wake him.
  @inline(__always)
  package borrowing func withLockBriefly<Result: ~Copyable>(_ body: () -> Result) -> Result {
    #if BELAY_EXPLORE
      return withLock(body)
    #else
      if belay_shim_is_alone() { return body() }
      if word.compareExchange(expected: 0, desired: Self.brief, ordering: .acquiring).exchanged {
        defer { word.store(0, ordering: .releasing) }
        return body()
      }
      acquireContended()
      defer { release() }
      return body()
    #endif
  }

  @inline(never)
  package borrowing func acquire() {
    if belay_shim_is_alone(), word.load(ordering: .relaxed) == 0 {
      word.store(1, ordering: .relaxed)
    } else if !word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {
      acquireContended()
    }
  }

  @inline(never)
  package borrowing func release() {
    if belay_shim_is_alone() {
      word.store(0, ordering: .relaxed)
    } else if word.exchange(0, ordering: .releasing) == 2 {
      withUnsafePointer(to: word) { belay_shim_wake($0, 1) }
    }
  }

  @inline(never)
  private borrowing func acquireContended() {
    var attempts: UInt32 = 0
    while true {
      let seen = word.load(ordering: .relaxed)
      if seen == Self.brief {
        // Nobody will wake this thread, whose time may be what the holder needs to go on.
        if attempts >= 64 {
          withUnsafePointer(to: word) { _ = belay_shim_wait($0, Self.brief, 50_000) }
        }
        attempts &+= 1
        continue
      }
      // As if somebody slept: who has slept does not know whether others do.
      if seen != 2,
        !word.compareExchange(expected: seen, desired: 2, ordering: .acquiring).exchanged
      {
        continue
      }
      if seen == 0 { return }
      withUnsafePointer(to: word) { _ = belay_shim_wait($0, 2, -1) }
    }
  }
}
