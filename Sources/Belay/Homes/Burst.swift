import CBelayShim

/// What is sent in one go on a thread: by one source, or in one turn of a home's mail. Who takes
/// values by the batch (`BatchStage`) lets them gather meanwhile.
///
/// `begin` and `end`, and no closures between them: each would be compiled into a function of its
/// own, everywhere.
package enum Burst {
  /// Begins a burst, or a part of the one in progress.
  @inline(__always)
  package static func begin() { Thread.own.pointee.burst.depth += 1 }

  @inline(never)
  package static func end() {
    let own = Thread.own
    if own.pointee.burst.depth == 1 { settle() }
    own.pointee.burst.depth -= 1
  }

  /// Begins a burst of its own, also inside another, which `end(resuming:)` goes back to.
  @inline(__always)
  package static func beginSeparately() -> belay_burst {
    let own = Thread.own
    let outer = own.pointee.burst
    own.pointee.burst = belay_burst(depth: 1, waiting: nil)
    return outer
  }

  @inline(never)
  package static func end(resuming outer: belay_burst) {
    settle()
    Thread.own.pointee.burst = outer
  }

  /// Has `receiver` told, by a letter, when the burst in progress is over; false when there is none.
  @inline(never)
  static func tell(_ receiver: Entity) -> Bool {
    let own = Thread.own
    if own.pointee.burst.depth == 0 { return false }
    WaitingLetters.append(Letter(to: receiver, .work), to: &own.pointee.burst.waiting)
    return true
  }

  /// Tells now who waits for the end of the burst in progress: it is over, or its thread is about
  /// to wait.
  @inline(never)
  package static func settle() {
    let own = Thread.own
    while let waiting = WaitingLetters.take(from: &own.pointee.burst.waiting) {
      while let letter = waiting.takeFirst() { letter.deliver() }
    }
  }
}
