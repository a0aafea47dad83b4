import Synchronization

/// A source of bytes, which counts those that somebody holds, and so knows when to stop and go on.
///
/// Any thread may give bytes back. The source holds back at its home, which lists it.
@_spi(Engine) open class ByteSource: Resource, @unchecked Sendable {
  // In this order, because the first two cost no memory here.
  private let isHeldBack = Atomic<Bool>(false)
  /// Whether what an operator gathers counts on, as with a stream. Nobody sets the marks of a file.
  package final let countsGathered: Bool
  private let count = Atomic<Int>(0)

  package init(countsGathered: Bool) {
    self.countsGathered = countsGathered
    super.init()
  }

  /// Above the high mark the source holds back, and at most at the low one it goes on. These are a
  /// file's: four of the longest pieces of a line, half of what the usual queue takes.
  open var marks: (high: Int, low: Int) { (1 << 22, 1 << 21) }

  /// The cost of each piece beside its bytes, so that the high mark bounds their number, too: there
  /// are fewer than the usual queue of a subscription takes, and of a file's half as many.
  final var overhead: Int {
    if marks.high == .max { return 64 }
    return max(64, marks.high >> (countsGathered ? 10 : 9))
  }

  /// How many bytes are held.
  package final var held: Int { count.load(ordering: .relaxed) }

  /// Counts bytes that somebody holds now, until `giveBack`.
  package final func hold(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }

  package final func giveBack(_ bytes: Int) {
    let left = count.wrappingSubtract(bytes, ordering: .sequentiallyConsistent).newValue
    if left <= marks.low && isHeldBack.load(ordering: .sequentiallyConsistent) { goesOn() }
  }

  /// Whether the source must hold back. Then `goesOn` is called when it need no longer.
  package final func holdsBack() -> Bool {
    if held < marks.high { return false }
    isHeldBack.store(true, ordering: .sequentiallyConsistent)
    // Another piece may have been given back before its thread could see that.
    if count.load(ordering: .sequentiallyConsistent) > marks.low { return true }
    isHeldBack.store(false, ordering: .relaxed)
    return false
  }

  /// Notes that the source goes on. False if it did not hold back.
  package final func endHoldingBack() -> Bool {
    isHeldBack.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Called on any thread, perhaps several times.
  open func goesOn() {}
}

/// Bytes or text that counts at its source until its last reference goes, or `settle`.
package final class CountedBytes: BytesBox, @unchecked Sendable {
  package let source: ByteSource
  /// The stage that has cut it, where it counts also.
  private let frames: ByteSource?
  private let kind: ValueKind
  private let isCounted = Atomic<Bool>(true)
  private let isFrame: Atomic<Bool>

  package init(
    copying bytes: UnsafeRawBufferPointer, from source: ByteSource, as kind: ValueKind = .bytes,
    of frames: ByteSource? = nil
  ) {
    self.source = source
    self.frames = frames
    self.kind = kind
    isFrame = Atomic(frames != nil)
    super.init(copying: bytes)
    source.hold(cost)
    frames?.hold(cost)
  }

  deinit { settle() }

  private var cost: Int { bytes.count + source.overhead }

  /// Counts no longer.
  package func settle() {
    if isCounted.exchange(false, ordering: .acquiringAndReleasing) {
      source.giveBack(cost)
    }
    leaveFrames()
  }

  /// Counts no longer at the stage that has cut it.
  private func leaveFrames() {
    if isFrame.exchange(false, ordering: .acquiringAndReleasing) { frames?.giveBack(cost) }
  }

  package override var valueKind: ValueKind { kind }

  override var byteSource: ByteSource? { source }

  package override func part(
    _ bytes: UnsafeRawBufferPointer, as kind: ValueKind, of frames: ByteSource?
  ) -> BytesBox {
    CountedBytes(copying: bytes, from: source, as: kind, of: frames)
  }

  override func emptied() -> BytesBox {
    let nothing = CountedBytes(
      copying: UnsafeRawBufferPointer(start: nil, count: 0), from: source, as: kind)
    nothing.settle()
    return nothing
  }

  override func isGathered() {
    // The stage must go on until the operator has what it gathers.
    if source.countsGathered { leaveFrames() } else { settle() }
  }
}

/// Keeps a value that an operator gathers.
@inline(never)
package func keepGathered<Value>(_ value: Value) {
  keep(value)
  settleGathered(value)
}

/// An operator gathers the value, perhaps for as long as it lasts. A piece of a file counts no longer
/// then: its file would wait for ever. One of a stream does, by its marks.
@inline(never)
package func settleGathered<Value>(_ value: Value) {
  var box: Entity?
  #if !hasFeature(Embedded)
    if Value.self == Bytes.self { box = (value as? Bytes)?.box }
  #endif
  if Value.self == ForeignValue.self {
    box = unsafeBitCast(value, to: ForeignValue.self, ofType: Value.self).entity
  }
  (box as? BytesBox)?.isGathered()
}
