import CBelayShim

/// Marks the values that a thread sends in one go: those of one source, or of one turn of a home.
/// An observer with `next_batch` receives them together, because its `BatchStage` gathers them
/// until the batch ends.
///
/// `begin` and `end` are separate functions, and none takes a closure, because the compiler would
/// make a function of each closure at each caller.
package enum Batch {
  /// Begins a batch, or a nested part of the one in progress.
  @inline(__always)
  package static func begin() { Thread.own.pointee.batch.depth += 1 }

  @inline(never)
  package static func end() {
    let own = Thread.own
    if own.pointee.batch.depth == 1 { deliverWaiting() }
    own.pointee.batch.depth -= 1
  }

  /// Begins a batch that is independent of the one in progress. `end(resuming:)` continues the
  /// outer one.
  @inline(__always)
  package static func beginSeparately() -> belay_batch {
    let own = Thread.own
    let outer = own.pointee.batch
    own.pointee.batch = belay_batch(depth: 1, waiting: nil)
    return outer
  }

  @inline(never)
  package static func end(resuming outer: belay_batch) {
    deliverWaiting()
    Thread.own.pointee.batch = outer
  }

  /// Sends `receiver` a message when the batch in progress is over. Answers false when there is
  /// none.
  @inline(never)
  static func tell(_ receiver: Entity) -> Bool {
    let own = Thread.own
    if own.pointee.batch.depth == 0 { return false }
    WaitingMessages.append(Message(to: receiver, .work), to: &own.pointee.batch.waiting)
    return true
  }

  /// Delivers the messages that wait for the end of the batch. Called when the batch is over, or
  /// when its thread is about to wait.
  @inline(never)
  package static func deliverWaiting() {
    let own = Thread.own
    while let waiting = WaitingMessages.take(from: &own.pointee.batch.waiting) {
      while let message = waiting.takeFirst() { message.deliver() }
    }
  }
}
