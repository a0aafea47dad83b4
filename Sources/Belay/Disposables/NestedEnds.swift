import CBelayShim

/// Ends that other ends bring about: one inside the other up to a depth, from there on one after the
/// other, so that a long row of them takes no more stack. All are over when the outermost is.
enum NestedEnds {
  /// What waits for the innermost end that is in progress.
  private final class Waiting {
    var cores: [CompoundCore] = []
  }

  /// As in references.c.
  private static var deepest: UInt32 { 64 }

  /// Has `core` end, by a letter: now, or in its turn.
  @inline(never)
  static func run(_ core: CompoundCore) {
    let own = Thread.own
    if own.pointee.ends.depth == deepest { return wait(core) }
    own.pointee.ends.depth += 1
    Letter(to: core, .work).deliver()
    if own.pointee.ends.depth == deepest { runWaiting() }
    own.pointee.ends.depth -= 1
  }

  private static func wait(_ core: CompoundCore) {
    let own = Thread.own
    if let known = own.pointee.ends.waiting {
      Unmanaged<Waiting>.fromOpaque(known).takeUnretainedValue().cores.append(core)
    } else {
      let waiting = Waiting()
      waiting.cores.append(core)
      own.pointee.ends.waiting = Unmanaged.passRetained(waiting).toOpaque()
    }
  }

  private static func runWaiting() {
    let own = Thread.own
    while let known = own.pointee.ends.waiting {
      own.pointee.ends.waiting = nil
      let waiting = Unmanaged<Waiting>.fromOpaque(known).takeRetainedValue()
      for core in waiting.cores { Letter(to: core, .work).deliver() }
    }
  }
}
