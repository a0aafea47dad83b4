import Synchronization

/// A source of bytes, which counts those that somebody holds, and so knows when to stop and go on.
///
/// Any thread may give bytes back. The source holds back at its home, which lists it.
@_spi(Engine) open class ByteSource: Resource, @unchecked Sendable {
  private let count = Atomic<Int>(0)
  private let isHeldBack = Atomic<Bool>(false)
  /// Above this the source holds back, and at most at this it goes on.
  package final let marks: (high: Int, low: Int)
  /// What each piece costs beside its bytes.
  package static var overhead: Int { 64 }

  package init(_ marks: (high: Int, low: Int)) {
    self.marks = marks
    super.init()
  }

  /// How many bytes are held.
  package final var held: Int { count.load(ordering: .relaxed) }

  package final func take(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }

  package final func giveBack(_ bytes: Int) {
    let left = count.wrappingSubtract(bytes, ordering: .sequentiallyConsistent).newValue
    if left <= marks.low && isHeldBack.load(ordering: .sequentiallyConsistent) { goesOn() }
  }

  /// Whether the source must hold back. Then `goesOn` is called when it need no longer.
  package final func holdsBack() -> Bool {
    if held < marks.high { return false }
    isHeldBack.store(true, ordering: .sequentiallyConsistent)
    // What was given back before another thread could see that.
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
  private let kind: ValueKind
  private let isCounted = Atomic<Bool>(true)

  package init(
    copying bytes: UnsafeRawBufferPointer, from source: ByteSource, as kind: ValueKind = .bytes
  ) {
    self.source = source
    self.kind = kind
    super.init(copying: bytes)
    source.take(bytes.count + ByteSource.overhead)
  }

  deinit { settle() }

  /// Counts no longer.
  package func settle() {
    if isCounted.exchange(false, ordering: .acquiringAndReleasing) {
      source.giveBack(bytes.count + ByteSource.overhead)
    }
  }

  package override var valueKind: ValueKind { kind }
}

extension BytesBox {
  /// A copy of a part of this, which counts where this does.
  package final func part(
    _ bytes: UnsafeRawBufferPointer, as kind: ValueKind = .bytes
  ) -> BytesBox {
    if let counted = self as? CountedBytes {
      return CountedBytes(copying: bytes, from: counted.source, as: kind)
    }
    return kind == .string ? StringBox(copying: bytes) : BytesBox(copying: bytes)
  }
}
