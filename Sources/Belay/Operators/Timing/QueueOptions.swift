import Synchronization

/// What happens to a value for which a queue has no room.
public enum QueuePolicy: Int32, Sendable {
  /// The signal ends with `.again`, after what waits.
  case error
  case dropOldest
  case dropNewest
  /// Only the latest that waits is kept, whatever the capacity.
  case latest
  /// Its sender sleeps until there is room, where nothing can depend on it; else like `error`.
  case block
}

/// The most that ever waited in a queue. Any thread.
public final class HighWaterMark: @unchecked Sendable {
  private let mark = Atomic<Int>(0)
  private let copy: UnsafeMutablePointer<Atomic<Int>>?

  public init() { copy = nil }

  /// Tells it to a word of C's, too, which outlives this.
  package init(copyingTo word: UnsafeMutablePointer<Int>?) {
    copy = word.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Atomic<Int>.self) }
  }

  public var value: Int { mark.load(ordering: .relaxed) }

  func note(_ count: Int) {
    mark.max(count, ordering: .relaxed)
    if let copy { copy.pointee.max(count, ordering: .relaxed) }
  }
}

/// How `observe(on:)` queues.
public struct QueueOptions: Sendable {
  public var policy: QueuePolicy
  /// How many values wait at most; ends are never refused.
  public var capacity: Int
  /// Told of each subscription's queue.
  public var highWaterMark: HighWaterMark?

  public init(
    _ policy: QueuePolicy = .error, capacity: Int = 1024, highWaterMark: HighWaterMark? = nil
  ) {
    self.policy = policy
    self.capacity = capacity
    self.highWaterMark = highWaterMark
  }
}
