import CBelayShim

/// Runs ends that other ends cause: nested up to a depth, and from there on one after the other, so
/// that a long chain of ends takes no more stack. All of them are over when the outermost returns.
///
/// Ends and disposals inside of too many deliveries wait here, too (`tellLater`). The innermost end, visit or
/// delivery that is over next runs them, inside of those around it.
enum NestedEnds {
  /// The same number as in references.c.
  private static var deepest: UInt32 { 64 }

  /// Ends `core`, now or in its turn.
  @inline(never)
  static func run(_ core: CompoundCore) { run(Message(to: core, .work)) }

  #if !hasFeature(Embedded)
    /// Empties `variable`. Its reference may be the last one to an object that holds another of its
    /// kind, and so on. (In the Embedded build references.c releases such chains.)
    static func letGo<Held: Entity>(of variable: inout Held?) {
      guard let held = variable.map({ Unmanaged<Entity>.passRetained($0) }) else { return }
      variable = nil
      run(Message(releasing: held))
    }
  #endif

  private static func run(_ message: Message) {
    let own = Thread.own
    let depth = own.pointee.ends.depth
    if depth == deepest { return wait(message) }
    own.pointee.ends.depth = depth + 1
    end(message)
    own.pointee.ends.depth = depth
    if depth + 1 == deepest { runWaiting() }
  }

  /// Sends `receiver` a message when the innermost end or delivery is over, because no more may be
  /// nested.
  @inline(never)
  static func tellLater(_ receiver: Entity, _ kind: Message.Kind) {
    wait(Message(to: receiver, kind))
  }

  @inline(never)
  private static func wait(_ message: Message) {
    WaitingMessages.append(message, to: &Thread.own.pointee.ends.waiting)
    Delivery.noteHere()
  }

  /// Runs what waits, and what comes to wait meanwhile.
  @inline(never)
  static func runWaiting() {
    let own = Thread.own
    let depth = own.pointee.ends.depth
    if depth == deepest { return }
    own.pointee.ends.depth = deepest
    while let waiting = WaitingMessages.take(from: &own.pointee.ends.waiting) {
      while let message = waiting.takeFirst() { end(message) }
    }
    own.pointee.ends.depth = depth
  }

  private static func end(_ message: Message) {
    #if !hasFeature(Embedded)
      if message.kind == .release { return message.receiver.drop() }
    #endif
    message.deliver()
  }
}
