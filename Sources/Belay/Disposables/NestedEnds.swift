import CBelayShim

/// Ends that other ends bring about: one inside the other up to a depth, from there on one after the
/// other, so that a long row of them takes no more stack. All are over when the outermost is.
enum NestedEnds {
  /// As in references.c.
  private static var deepest: UInt32 { 64 }

  /// Has `core` end: now, or in its turn.
  @inline(never)
  static func run(_ core: CompoundCore) { run(Message(to: core, .work)) }

  #if !hasFeature(Embedded)
    /// Empties `slot`, whose reference may be the last to something that holds another of its kind,
    /// and so on. (In the Embedded build references.c sees to such rows.)
    static func letGo<Held: Entity>(of slot: inout Held?) {
      guard let held = slot.map({ Unmanaged<Entity>.passRetained($0) }) else { return }
      slot = nil
      run(Message(releasing: held))
    }
  #endif

  private static func run(_ message: Message) {
    let own = Thread.own
    if own.pointee.ends.depth == deepest {
      // For the innermost end that is in progress.
      return WaitingMessages.append(message, to: &own.pointee.ends.waiting)
    }
    own.pointee.ends.depth += 1
    end(message)
    while own.pointee.ends.depth == deepest,
      let waiting = WaitingMessages.take(from: &own.pointee.ends.waiting)
    {
      while let message = waiting.takeFirst() { end(message) }
    }
    own.pointee.ends.depth -= 1
  }

  private static func end(_ message: Message) {
    #if !hasFeature(Embedded)
      if message.kind == .release { return message.receiver.drop() }
    #endif
    message.deliver()
  }
}
