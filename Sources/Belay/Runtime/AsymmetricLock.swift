import CBelayShim
import Synchronization

/// A mutual exclusion lock, of four bytes, for what is done often and hardly ever waited for: it
/// takes one atomic operation, for it is freed by a store. Never held while user code runs.
///
/// Whoever frees it stores that and then looks whether it is awaited; who wants to sleep stores that
/// it is awaited and then looks whether it is free. One of them must see the other, which takes a
/// fence on both sides: who wants to sleep asks for both (`belay_shim_barrier`).
struct AsymmetricLock: ~Copyable {
  /// 0 free, 1 held.
  private let word = Atomic<UInt32>(0)

  @inline(__always)
  borrowing func withLock<Result: ~Copyable>(_ body: () -> Result) -> Result {
    acquire()
    defer { release() }
    return body()
  }

  /// The same, or without the lock where no other thread can be at what it guards.
  @inline(__always)
  borrowing func withLock<Result: ~Copyable>(
    unless isUnshared: Bool, _ body: () -> Result
  ) -> Result {
    if isUnshared { return body() }
    return withLock(body)
  }

  @inline(never)
  borrowing func acquire() { acquireInlined() }

  @inline(never)
  borrowing func release() { releaseInlined() }

  /// The same, compiled into its caller, for what is done most often.
  @inline(__always)
  borrowing func acquireInlined() {
    if belay_shim_is_alone(), word.load(ordering: .relaxed) == 0 {
      word.store(1, ordering: .relaxed)
    } else if !take() {
      acquireContended()
    }
  }

  @inline(__always)
  borrowing func releaseInlined() {
    word.store(0, ordering: .releasing)
    withUnsafePointer(to: word) { if belay_shim_is_awaited($0) { belay_shim_tell_free($0) } }
  }

  @inline(__always)
  private borrowing func take() -> Bool {
    word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
  }

  @inline(never)
  private borrowing func acquireContended() {
    withUnsafePointer(to: word) { lock in
      belay_shim_wait_awake(lock)
      if take() { return }
      while true {
        belay_shim_announce_wait(lock)
        if take() { return }
        belay_shim_wait_for_lock(lock)
      }
    }
  }
}
