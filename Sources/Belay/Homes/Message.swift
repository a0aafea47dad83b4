/// What travels to a home: for whom, what to do, and a value.
public struct Message {
  package enum Kind: UInt8 {
    /// A value of the receiver's type, kept by the payload.
    case value
    /// An `EndBox`.
    case end
    /// Finish a disposal that was begun elsewhere.
    case dispose
    /// Whatever the receiver is for.
    case work
    /// Only the reference to the receiver is given back (`NestedEnds`).
    case release
  }

  // Four words, the last for all the rest, so that it travels in registers.
  package var payload: Payload
  package let receiver: Unmanaged<Entity>
  /// The kind, and marks above it.
  private var marks: UInt64

  private static var keptMark: UInt64 { 0x100 }
  private static var countedMark: UInt64 { 0x200 }

  @inline(__always)
  package var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: marks)).unsafelyUnwrapped }
  /// Whether the receiver's reference is this message's to give back.
  @inline(__always)
  package var keepsReceiver: Bool { marks & Self.keptMark != 0 }
  /// Whether it takes room in its home's queue.
  @inline(__always)
  var isCounted: Bool {
    get { marks & Self.countedMark != 0 }
    set { if newValue { marks |= Self.countedMark } else { marks &= ~Self.countedMark } }
  }

  /// Retains `receiver` until the message is opened or thrown away.
  @inline(__always)
  package init(to receiver: Entity, _ kind: Kind, _ payload: Payload = Payload()) {
    self.init(lentTo: receiver, kind, payload)
    keepReceiver()
  }

  /// Leaves it to who takes the message to retain `receiver`, which lives until then.
  @inline(__always)
  package init(lentTo receiver: Entity, _ kind: Kind, _ payload: Payload) {
    self.receiver = .passUnretained(receiver)
    self.payload = payload
    marks = UInt64(kind.rawValue)
  }

  /// Gives `held` back when it is opened.
  init(releasing held: Unmanaged<Entity>) {
    receiver = held
    payload = Payload()
    marks = UInt64(Kind.release.rawValue) | Self.keptMark
  }

  @inline(__always)
  package mutating func keepReceiver() {
    _ = receiver.retain()
    marks |= Self.keptMark
  }

  /// Gives the message to its receiver.
  package consuming func deliver() { open(isCanceled: false) }

  /// Throws the message away; what it carries is released.
  package consuming func cancel() { open(isCanceled: true) }

  /// The same for one that was taken: whoever sent it was told so, and so this is a loss.
  package consuming func lose() { deliver(orLose: true) }

  /// Gives the message to its receiver, or loses it.
  @inline(__always)
  consuming func deliver(orLose isLost: Bool) {
    if isLost { isCounted = true }
    open(isCanceled: isLost)
  }

  /// Of one that is refused: whether it was taken before.
  package var wasTaken: Bool { isCounted }

  private consuming func open(isCanceled: Bool) {
    let keepsReceiver = keepsReceiver
    let receiver = receiver
    receiver._withUnsafeGuaranteedRef { $0.receive(&self, isCanceled: isCanceled) }
    if keepsReceiver { receiver.drop() }
  }

  /// Keeps the receiver in the place of the message before it.
  @inline(__always)
  mutating func takesReceiver(from before: inout Message) {
    marks |= Self.keptMark
    before.marks &= ~Self.keptMark
  }
}

/// Messages in the order of their coming. Those for one receiver that follow each other share one
/// reference to it, which goes with the last of them.
struct MessageQueue: ~Copyable {
  private var base: UnsafeMutablePointer<Message>
  private var room = 16
  private var end = 0
  private var taken = 0

  init() { base = .allocate(capacity: room) }

  deinit { base.deallocate() }

  var isEmpty: Bool { taken == end }

  /// Answers whether it was empty before.
  @inline(__always)
  @discardableResult
  mutating func append(_ message: consuming Message) -> Bool {
    if end == room { grow() }
    let isFirst = isEmpty
    if !message.keepsReceiver {
      if !isFirst && base[end &- 1].receiver.toOpaque() == message.receiver.toOpaque() {
        message.takesReceiver(from: &base[end &- 1])
      } else {
        message.keepReceiver()
      }
    }
    base[end] = message
    end &+= 1
    return isFirst
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Message>.allocate(capacity: room * 2)
    larger.update(from: base, count: end)
    base.deallocate()
    base = larger
    room *= 2
  }

  /// Moves the messages for those for which `isTheirs` says so to the end of `other`. (All messages that
  /// share a reference are for one receiver, and so stay together.)
  mutating func move(to other: inout MessageQueue, where isTheirs: (Entity) -> Bool) {
    var kept = taken
    for place in taken..<end {
      if base[place].receiver._withUnsafeGuaranteedRef(isTheirs) {
        if other.end == other.room { other.grow() }
        other.base[other.end] = base[place]
        other.end &+= 1
      } else {
        base[kept] = base[place]
        kept &+= 1
      }
    }
    end = kept
  }

  /// The oldest message, to be opened or refused. When none is left the room is there again.
  @inline(__always)
  mutating func takeFirst() -> Message? {
    if taken == end {
      (taken, end) = (0, 0)
      return nil
    }
    taken &+= 1
    return base[taken &- 1]
  }

  /// Puts `message`, which keeps its receiver, in the place of the last one, if that is a value of the
  /// same receiver's; answers with the old one.
  mutating func replaceLast(with message: Message) -> Message? {
    guard end > taken, base[end - 1].kind == .value,
      base[end - 1].receiver.toOpaque() == message.receiver.toOpaque()
    else { return nil }
    var old = base[end - 1]
    base[end - 1] = message
    base[end - 1].isCounted = old.isCounted
    // Its policy drops it, which is no loss.
    old.isCounted = false
    return old
  }

  func holds(_ receiver: Entity) -> Bool {
    let address = Unmanaged.passUnretained(receiver).toOpaque()
    for place in taken..<end where base[place].receiver.toOpaque() == address { return true }
    return false
  }
}
