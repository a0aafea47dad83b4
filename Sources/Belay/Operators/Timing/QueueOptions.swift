import Synchronization

/// The policy for a value when a queue is full.
public enum QueuePolicy: Int32, Sendable {
  /// The signal ends with `.again`, after the values that wait.
  case error
  /// The value that has waited longest is dropped.
  case dropOldest
  /// The value that comes is dropped.
  case dropNewest
  /// Only the latest value waits, whatever the capacity is.
  case latest
  /// The sender sleeps until there is room, if nothing can depend on the sender; otherwise like
  /// `error`.
  case block
}

/// The largest number of values that ever waited in a queue. Any thread may use it.
public final class HighWaterMark: @unchecked Sendable {
  private let mark = Atomic<Int>(0)
  private let copy: UnsafeMutablePointer<Atomic<Int>>?

  /// Starts at 0.
  public init() { copy = nil }

  /// Copies the number to a word of C's, which must outlive this.
  package init(copyingTo word: UnsafeMutablePointer<Int>?) {
    copy = word.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Atomic<Int>.self) }
  }

  /// The largest number so far.
  public var value: Int { mark.load(ordering: .relaxed) }

  func note(_ count: Int) {
    mark.max(count, ordering: .relaxed)
    if let copy { copy.pointee.max(count, ordering: .relaxed) }
  }
}

/// The options of the queue of `observe(on:)`.
public struct QueueOptions: Sendable {
  /// The policy for a value when as many wait as may.
  public var policy: QueuePolicy
  /// How many values may wait. Ends are never refused.
  public var capacity: Int
  /// Gets the numbers of all subscriptions' queues.
  public var highWaterMark: HighWaterMark?

  /// Without arguments: 1024 values may wait, and the next one is an error.
  public init(
    _ policy: QueuePolicy = .error, capacity: Int = 1024, highWaterMark: HighWaterMark? = nil
  ) {
    self.policy = policy
    self.capacity = capacity
    self.highWaterMark = highWaterMark
  }
}
