import CBelayShim
import Synchronization

/// A mutual exclusion lock of four bytes, for short and frequent operations without contention. It
/// takes one atomic operation, because a plain store frees it. It is never held while user code
/// runs.
///
/// The thread that frees it stores *free* and then reads whether another thread waits. A thread
/// that wants to sleep stores *waiting* and then reads whether the lock is free. One of them must
/// see the other's store, which takes a fence on both sides. The thread that wants to sleep issues
/// both (`belay_shim_barrier`).
struct AsymmetricLock: ~Copyable {
  /// 0 free, 1 held.
  private let word = Atomic<UInt32>(0)

  @inline(__always)
  borrowing func withLock<Result: ~Copyable>(_ body: () -> Result) -> Result {
    acquire()
    defer { release() }
    return body()
  }

  /// The same, but without the lock if no other thread can reach what it protects.
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

  /// `acquire` and `release`, inlined for the most frequent callers.
  @inline(__always)
  borrowing func acquireInlined() {
    if belay_shim_is_alone(), word.load(ordering: .relaxed) == 0 {
      word.store(1, ordering: .relaxed)
    } else if !tryAcquire() {
      acquireContended()
    }
  }

  @inline(__always)
  borrowing func releaseInlined() {
    word.store(0, ordering: .releasing)
    withUnsafePointer(to: word) { if belay_shim_is_awaited($0) { belay_shim_tell_free($0) } }
  }

  @inline(__always)
  private borrowing func tryAcquire() -> Bool {
    word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
  }

  @inline(never)
  private borrowing func acquireContended() {
    withUnsafePointer(to: word) { lock in
      belay_shim_wait_awake(lock)
      if tryAcquire() { return }
      while true {
        belay_shim_announce_wait(lock)
        if tryAcquire() { return }
        belay_shim_wait_for_lock(lock)
      }
    }
  }
}
