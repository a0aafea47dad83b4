/// Holds a foreign value that does not fit in a word.
package class ValueBox: Entity, @unchecked Sendable {
  package override init() {
    super.init()
    Live.values.began()
  }

  deinit { Live.values.ended() }
}

/// Bytes, followed by a NUL.
package class BytesBox: ValueBox, @unchecked Sendable {
  private let storage: UnsafeMutableRawBufferPointer

  package init(copying bytes: UnsafeRawBufferPointer) {
    storage = .allocate(byteCount: bytes.count + 1, alignment: 16)
    storage.copyMemory(from: bytes)
    storage[bytes.count] = 0
    super.init()
  }

  deinit { storage.deallocate() }

  package final var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: storage[..<(storage.count - 1)])
  }

  package override var valueKind: ValueKind { .bytes }

  // Methods, and no casts to `CountedBytes`: a build without I/O makes none, and then the compiler
  // leaves out the code that a cast refers to.

  /// Where this counts.
  var byteSource: ByteSource? { nil }

  /// A copy of a part of this, which counts where this does, and at the stage that has cut it.
  package func part(
    _ bytes: UnsafeRawBufferPointer, as kind: ValueKind, of frames: ByteSource?
  ) -> BytesBox {
    kind == .string ? StringBox(copying: bytes) : BytesBox(copying: bytes)
  }

  /// No bytes, which count nowhere, but whose parts are of this one's kind and count where its parts do.
  func emptied() -> BytesBox {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    return valueKind == .string ? StringBox(copying: nothing) : BytesBox(copying: nothing)
  }

  /// An operator gathers this.
  func isGathered() {}
}

/// UTF-8 text.
package final class StringBox: BytesBox, @unchecked Sendable {
  package override var valueKind: ValueKind { .string }
}

/// A copy of a C struct, with its type's name.
package final class StructBox: BytesBox, @unchecked Sendable {
  package let type: StaticSite

  package init(_ type: StaticSite, copying bytes: UnsafeRawBufferPointer) {
    self.type = type
    super.init(copying: bytes)
  }

  package override var valueKind: ValueKind { .structure }
}

/// A pointer with its destructor, and the name of the pointee's type if it was given.
package class PointerBox: ValueBox, @unchecked Sendable {
  package final let pointer: UnsafeMutableRawPointer?
  package final let type: StaticSite?
  private final let destroy: () -> Void

  package init(
    _ pointer: UnsafeMutableRawPointer?, type: StaticSite? = nil, destroy: @escaping () -> Void
  ) {
    self.pointer = pointer
    self.type = type
    self.destroy = destroy
    super.init()
  }

  deinit { destroy() }

  package final override var valueKind: ValueKind { .pointer }
}

/// A pointer whose destructor runs at a home, whichever thread releases the value last.
package final class HomedPointerBox: PointerBox, @unchecked Sendable {
  private let pointee: HomedPointee

  package init(_ pointer: UnsafeMutableRawPointer?, type: StaticSite?, _ pointee: HomedPointee) {
    self.pointee = pointee
    super.init(pointer, type: type) { pointee.wasLetGo() }
  }

  /// Whether this thread may follow the pointer.
  var access: Code {
    if pointee.isDisposed { return .closed }
    return pointee.home.isCurrent ? .ok : .wrongThread
  }
}

/// Destroys what such a pointer points to. It is a member of a loop's user, and it is disposed of
/// at its home only: when the value goes, or when the user leaves.
package final class HomedPointee: ActionDisposable, @unchecked Sendable {
  fileprivate let home: Home
  private var destroy: (() -> Void)?

  package init(at home: Home, destroy: @escaping () -> Void) {
    self.home = home
    self.destroy = destroy
    super.init()
  }

  package override func act() {
    destroy?()
    destroy = nil
  }

  fileprivate func wasLetGo() {
    if home.isCurrent { dispose() } else { _ = home.post(Message(to: self, .work), reserved: true) }
  }

  /// If the message is refused on another thread, the container that this is a member of disposes
  /// of it.
  package override func receive(_ message: inout Message, isCanceled: Bool) {
    if home.isCurrent { dispose() }
  }
}

/// Several values.
package class ArrayBox: ValueBox, @unchecked Sendable {
  package final let items: [ForeignValue]

  /// Takes over the references of the items.
  package init(taking items: [ForeignValue]) {
    self.items = items
    super.init()
  }

  deinit { for item in items { discard(item) } }

  package final override var valueKind: ValueKind { .array }
}

/// A strong handle to an owner.
package final class OwnerBox: ValueBox, @unchecked Sendable {
  package let record: OwnerRecord

  package init(_ record: OwnerRecord) {
    self.record = record
    record.retainHandle()
    super.init()
  }

  deinit { record.releaseHandle() }

  package override var valueKind: ValueKind { .owner }
}

/// A failure as a value, with which a callback that must return a value can fail.
package final class FailureBox: ValueBox, @unchecked Sendable {
  package let failure: Failure

  package init(_ failure: Failure) {
    self.failure = failure
    super.init()
  }

  package override var valueKind: ValueKind { .failure }
}
