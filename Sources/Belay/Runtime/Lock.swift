import CBelayShim
import Synchronization

/// A mutual exclusion lock of four bytes. It is never held while user code runs.
package struct Lock: ~Copyable {
  /// 0: free; 1: held; 2: held, and a thread may be asleep.
  private let word = Atomic<UInt32>(0)

  package init() {}

  @inline(__always)
  package borrowing func withLock<Result: ~Copyable>(_ body: () -> Result) -> Result {
    acquire()
    defer { release() }
    return body()
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
    while word.exchange(2, ordering: .acquiring) != 0 {
      withUnsafePointer(to: word) { _ = belay_shim_wait($0, 2, -1) }
    }
  }
}
