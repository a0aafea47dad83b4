import Synchronization

/// The bound of the queues that an operator's subscriptions keep. A signal has one, which all its
/// subscriptions share; the capacity is that of each queue.
package final class QueueLimit: @unchecked Sendable {
  /// The fate of a value that comes while others wait.
  enum Admission {
    case accepted
    /// The oldest value makes room for it.
    case replacesOldest
    case dropped
    /// The subscription ends with `refusal`.
    case refused
  }

  private(set) var policy = QueuePolicy.error
  private var capacity = 1024
  private var copy: HighWaterMark?
  private let mark = Atomic<Int>(0)
  /// Whether there was a subscription, which reads the members above without the lock. Set under it.
  private let isInUse = Atomic<Bool>(false)
  private let lock = Lock()
  private let operatorName: StaticString

  @inline(never)
  init(_ operatorName: StaticString) { self.operatorName = operatorName }

  /// Changes the bound, unless there was a subscription already.
  func set(_ options: QueueOptions) -> Code {
    lock.withLock {
      if isInUse.load(ordering: .relaxed) { return .busy }
      policy = options.policy
      capacity = max(1, options.capacity)
      copy = options.highWaterMark
      return .ok
    }
  }

  /// A subscription begins.
  func begin() {
    if isInUse.load(ordering: .acquiring) { return }
    lock.withLock { isInUse.store(true, ordering: .releasing) }
  }

  /// The largest number of values that ever waited in one queue.
  var highWater: Int { mark.load(ordering: .relaxed) }

  func note(_ count: Int) {
    mark.max(count, ordering: .relaxed)
    copy?.note(count)
  }

  /// Decides about a value that comes while `count` wait.
  @inline(never)
  func admit(after count: Int) -> Admission {
    if count < (policy == .latest ? 1 : capacity) {
      note(count + 1)
      return .accepted
    }
    return switch policy {
    case .dropOldest, .latest: .replacesOldest
    case .dropNewest: .dropped
    case .error, .block: .refused
    }
  }

  /// The same for a queue that cannot drop: what is in it has begun, or the results would be wrong.
  func refuses(after count: Int) -> Bool {
    if count < capacity { note(count + 1) }
    return count >= capacity
  }

  /// The end of a subscription whose queue was full.
  var refusal: End {
    @inline(never) get {
      .failed(
        Failure(
          .again,
          message: "the queue of " + operatorName.string
            + " was full; belay_signal_set_queue() gives it more room or drops values"))
    }
  }
}

extension AnySignal {
  /// Sets the capacity and the policy of the queues that this signal's own operator keeps in each
  /// subscription: 1024 values and `.error`, unless this is called. A capacity of `Int.max` lets them
  /// grow. Queues that cannot drop values take every policy for
  /// `.error`; docs/semantics.md lists them. Call it before
  /// the first subscription.
  ///
  /// - Returns: `.ok`; `.invalid` if the operator keeps no queue; `.busy` if there was a subscription
  ///   already.
  @discardableResult
  public final func setQueue(_ options: QueueOptions) -> Code {
    queueLimit?.set(options) ?? .invalid
  }

  /// The largest number of values that ever waited in a queue of this signal's own operator, or, in a
  /// subject or a property, for a delivery in progress. Any thread may ask.
  public final var queueHighWater: Int {
    queueLimit?.highWater ?? ownSource.map { Int($0.mark.load(ordering: .relaxed)) } ?? 0
  }
}
