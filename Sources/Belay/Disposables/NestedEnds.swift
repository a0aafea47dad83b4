import CBelayShim

/// Ends that other ends bring about: one inside the other up to a depth, from there on one after the
/// other, so that a long row of them takes no more stack. All are over when the outermost is.
enum NestedEnds {
  /// What waits for the innermost end that is in progress.
  private final class Waiting {
    var letters: [Letter] = []
  }

  /// As in references.c.
  private static var deepest: UInt32 { 64 }

  /// Has `core` end: now, or in its turn.
  @inline(never)
  static func run(_ core: CompoundCore) { run(Letter(to: core, .work)) }

  #if !hasFeature(Embedded)
    /// Empties `slot`, whose reference may be the last to something that holds another of its kind,
    /// and so on. (In the Embedded build references.c sees to such rows.)
    static func letGo<Held: Entity>(of slot: inout Held?) {
      guard let held = slot.map({ Unmanaged<Entity>.passRetained($0) }) else { return }
      slot = nil
      held._withUnsafeGuaranteedRef { run(Letter(lentTo: $0, .release, Parcel())) }
    }
  #endif

  private static func run(_ letter: Letter) {
    let own = Thread.own
    if own.pointee.ends.depth == deepest { return wait(letter) }
    own.pointee.ends.depth += 1
    end(letter)
    while own.pointee.ends.depth == deepest, let known = own.pointee.ends.waiting {
      own.pointee.ends.waiting = nil
      let waiting = Unmanaged<Waiting>.fromOpaque(known).takeRetainedValue()
      for letter in waiting.letters { end(letter) }
    }
    own.pointee.ends.depth -= 1
  }

  private static func wait(_ letter: Letter) {
    let own = Thread.own
    let waiting: Waiting
    if let known = own.pointee.ends.waiting {
      waiting = Unmanaged<Waiting>.fromOpaque(known).takeUnretainedValue()
    } else {
      waiting = Waiting()
      own.pointee.ends.waiting = Unmanaged.passRetained(waiting).toOpaque()
    }
    waiting.letters.append(letter)
  }

  private static func end(_ letter: Letter) {
    #if !hasFeature(Embedded)
      if letter.kind == .release { return letter.receiver.drop() }
    #endif
    letter.deliver()
  }
}
