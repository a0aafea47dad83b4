/// An entry in the queue of a home: a receiver, a kind that says what to do, and perhaps a value.
@_spi(Engine) public struct Message {
  /// The receiver's use of a message.
  package enum Kind: UInt8 {
    /// A value of the receiver's type, which `packed` keeps.
    case value
    /// An `End`, in `packed`.
    case end
    /// The home is to continue a disposal that began on another thread.
    case dispose
    /// Work whose meaning the receiver knows.
    case work
    /// Nothing is done, but the reference to the receiver is given back (`NestedEnds`).
    case release
  }

  // Four words, with kind and marks in the last one, so that a message travels in registers.
  package var packed: PackedValue
  package let receiver: Unmanaged<Entity>
  /// The kind, in the lowest byte of `marks`.
  private var marks: UInt64

  private static var keptMark: UInt64 { 0x100 }
  private static var countedMark: UInt64 { 0x200 }
  private static var ownMark: UInt64 { 0x400 }

  @inline(__always)
  package var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: marks)).unsafelyUnwrapped }
  /// Whether the message holds a reference to its receiver.
  @inline(__always)
  package var keepsReceiver: Bool { marks & Self.keptMark != 0 }
  /// Whether the message counts against the bound of its home's queue.
  @inline(__always)
  var isCounted: Bool {
    get { marks & Self.countedMark != 0 }
    set { if newValue { marks |= Self.countedMark } else { marks &= ~Self.countedMark } }
  }

  /// Whether the thread that brings the message is about to deliver it.
  @inline(__always)
  var isOwn: Bool { marks & Self.ownMark != 0 }
  @inline(__always)
  mutating func markAsOwn() { marks |= Self.ownMark }

  /// Retains `receiver` until the message is opened or thrown away.
  @inline(__always)
  package init(to receiver: Entity, _ kind: Kind, _ packed: PackedValue = PackedValue()) {
    self.init(lentTo: receiver, kind, packed)
    keepReceiver()
  }

  /// Does not retain `receiver`. A home that queues the message retains it; until then the caller
  /// keeps it alive.
  @inline(__always)
  package init(lentTo receiver: Entity, _ kind: Kind, _ packed: PackedValue) {
    self.receiver = .passUnretained(receiver)
    self.packed = packed
    marks = UInt64(kind.rawValue)
  }

  /// Takes over the reference `held`, and gives it back when the message is opened.
  init(releasing held: Unmanaged<Entity>) {
    receiver = held
    packed = PackedValue()
    marks = UInt64(Kind.release.rawValue) | Self.keptMark
  }

  @inline(__always)
  package mutating func keepReceiver() {
    _ = receiver.retain()
    marks |= Self.keptMark
  }

  /// Gives the message to its receiver.
  package consuming func deliver() { open(isCanceled: false) }

  /// Throws the message away and releases what it carries.
  package consuming func cancel() { open(isCanceled: true) }

  /// Throws away a message that was accepted before. Its sender was told so, so this counts as a
  /// loss.
  package consuming func lose() { deliver(orLose: true) }

  /// Opens the message, or loses it if `isLost`.
  @inline(__always)
  consuming func deliver(orLose isLost: Bool) {
    if isLost { isCounted = true }
    open(isCanceled: isLost)
  }

  /// Whether a message that is being refused had been accepted before.
  package var wasAccepted: Bool { isCounted }

  private consuming func open(isCanceled: Bool) {
    let keepsReceiver = keepsReceiver
    let receiver = receiver
    receiver._withUnsafeGuaranteedRef { $0.receive(&self, isCanceled: isCanceled) }
    if keepsReceiver { receiver.drop() }
  }

  /// Moves the reference to the receiver from the message before it into this one.
  @inline(__always)
  mutating func takesReceiver(from before: inout Message) {
    marks |= Self.keptMark
    before.marks &= ~Self.keptMark
  }
}

/// A queue of messages, in the order in which they came. Neighbours with the same receiver share
/// one reference to it, which the last of them holds.
struct MessageQueue: ~Copyable {
  private var base: UnsafeMutablePointer<Message>
  private var room = 16
  private var end = 0
  private var taken = 0

  init() { base = .allocate(capacity: room) }

  deinit { base.deallocate() }

  var isEmpty: Bool { taken == end }
  var count: Int { end - taken }

  /// Adds a message. Answers whether the queue was empty before.
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

  /// Makes room at the end. If more than half of the messages have been taken out, their room at the
  /// beginning is used again, so that a queue that never runs empty does not grow.
  @inline(never)
  private mutating func grow() {
    if taken > room / 2 {
      base.update(from: base + taken, count: end - taken)
    } else {
      let larger = UnsafeMutablePointer<Message>.allocate(capacity: room * 2)
      larger.update(from: base + taken, count: end - taken)
      base.deallocate()
      base = larger
      room *= 2
    }
    (taken, end) = (0, end - taken)
  }

  /// Moves the messages whose receiver satisfies `isTheirs` to the end of `other`. Messages that
  /// share a reference have the same receiver, and so stay together.
  mutating func move(to other: inout MessageQueue, where isTheirs: (Entity) -> Bool) {
    var kept = taken
    for index in taken..<end {
      if base[index].receiver._withUnsafeGuaranteedRef(isTheirs) {
        if other.end == other.room { other.grow() }
        other.base[other.end] = base[index]
        other.end &+= 1
      } else {
        base[kept] = base[index]
        kept &+= 1
      }
    }
    end = kept
  }

  /// Takes out the oldest message, for the caller to open or refuse. When none is left, the memory
  /// is used from its beginning again.
  @inline(__always)
  mutating func takeFirst() -> Message? {
    if taken == end {
      (taken, end) = (0, 0)
      return nil
    }
    taken &+= 1
    return base[taken &- 1]
  }

  /// Replaces the newest message by `message`, if both are values for the same receiver. Answers
  /// with the old one. `message` must keep its receiver.
  mutating func replaceLast(with message: Message) -> Message? {
    guard end > taken, base[end - 1].kind == .value,
      base[end - 1].receiver.toOpaque() == message.receiver.toOpaque()
    else { return nil }
    var old = base[end - 1]
    base[end - 1] = message
    base[end - 1].isCounted = old.isCounted
    // The source's policy drops the old one, so it must not count as a loss.
    old.isCounted = false
    return old
  }

  func holds(_ receiver: Entity) -> Bool {
    let address = Unmanaged.passUnretained(receiver).toOpaque()
    for index in taken..<end where base[index].receiver.toOpaque() == address { return true }
    return false
  }
}
