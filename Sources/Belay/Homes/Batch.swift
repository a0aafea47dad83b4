import CBelayShim

/// What is sent in one go on a thread: by one source, or in one turn of a home's mail. Who takes
/// values by the batch (`BatchStage`) lets them gather meanwhile.
///
/// `begin` and `end`, and no closures between them: each would be compiled into a function of its
/// own, everywhere.
package enum Batch {
  /// Begins a batch, or a part of the one in progress.
  @inline(__always)
  package static func begin() { Thread.own.pointee.batch.depth += 1 }

  @inline(never)
  package static func end() {
    let own = Thread.own
    if own.pointee.batch.depth == 1 { settle() }
    own.pointee.batch.depth -= 1
  }

  /// Begins a batch of its own, also inside another, which `end(resuming:)` goes back to.
  @inline(__always)
  package static func beginSeparately() -> belay_batch {
    let own = Thread.own
    let outer = own.pointee.batch
    own.pointee.batch = belay_batch(depth: 1, waiting: nil)
    return outer
  }

  @inline(never)
  package static func end(resuming outer: belay_batch) {
    settle()
    Thread.own.pointee.batch = outer
  }

  /// Has `receiver` told, by a message, when the batch in progress is over; false when there is none.
  @inline(never)
  static func tell(_ receiver: Entity) -> Bool {
    let own = Thread.own
    if own.pointee.batch.depth == 0 { return false }
    WaitingMessages.append(Message(to: receiver, .work), to: &own.pointee.batch.waiting)
    return true
  }

  /// Tells now who waits for the end of the batch in progress: it is over, or its thread is about
  /// to wait.
  @inline(never)
  package static func settle() {
    let own = Thread.own
    while let waiting = WaitingMessages.take(from: &own.pointee.batch.waiting) {
      while let message = waiting.takeFirst() { message.deliver() }
    }
  }
}
