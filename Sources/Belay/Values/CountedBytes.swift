import Synchronization

/// Counts bytes that somebody holds, and says when a source of them should stop and go on.
///
/// Any thread may give bytes back. The source holds back at its home.
@_spi(Engine) open class ByteBudget: @unchecked Sendable {
  private let count = Atomic<Int>(0)
  private let isHeldBack = Atomic<Bool>(false)
  /// Above this the source holds back, and at most at this it goes on.
  package final let marks: (high: Int, low: Int)
  /// What each piece costs beside its bytes.
  package static var overhead: Int { 64 }

  package init(_ marks: (high: Int, low: Int)) { self.marks = marks }

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

/// Bytes or text that counts in a budget until its last reference goes, or `settle`.
package final class CountedBytes: BytesBox, @unchecked Sendable {
  package let budget: ByteBudget
  private let kind: ValueKind
  private let isCounted = Atomic<Bool>(true)

  package init(
    copying bytes: UnsafeRawBufferPointer, in budget: ByteBudget, as kind: ValueKind = .bytes
  ) {
    self.budget = budget
    self.kind = kind
    super.init(copying: bytes)
    budget.take(bytes.count + ByteBudget.overhead)
  }

  deinit { settle() }

  /// Counts no longer.
  package func settle() {
    if isCounted.exchange(false, ordering: .acquiringAndReleasing) {
      budget.giveBack(bytes.count + ByteBudget.overhead)
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
      return CountedBytes(copying: bytes, in: counted.budget, as: kind)
    }
    return kind == .string ? StringBox(copying: bytes) : BytesBox(copying: bytes)
  }
}
