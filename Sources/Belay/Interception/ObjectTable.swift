import CBelayClosure

/// A private copy of an object's table, to which the object's table pointer leads while one of its
/// slots is wanted. Interfaces that describe the same pointer share it.
///
/// `MethodSlot.writing` protects everything but `owner`.
final class ObjectTable: Attachment, @unchecked Sendable {
  private typealias Word = UnsafeMutablePointer<UnsafeMutableRawPointer?>

  let owner: OwnerRecord
  private let offset: Int
  /// The object's pointer to its table.
  private let pointer: Word
  /// The table to which the pointer led before it led to the copy. It is known until the pointer is set
  /// back, and read only while no other code has replaced the copy: its memory may go then.
  private var originalTable: UnsafeMutableRawPointer?
  /// The copy. The word before it is the address of a smaller copy that it replaced. Copies stay as
  /// long as this does, because a thread may have loaded the pointer.
  private var copy: UnsafeMutableRawPointer?
  private var size = 0
  private var slots: ObjectSlot?
  /// How many slots are wanted.
  private var users = 0
  /// Whether the pointer was set to the copy, and has not been set back.
  private var isIn = false {
    didSet { Live.tables.changed(from: oldValue, to: isIn) }
  }
  private var hasEnded = false

  /// A list of all tables whose copy is in use.
  nonisolated(unsafe) private static var all: ObjectTable?
  private var nextIn: ObjectTable?

  private init(_ owner: OwnerRecord, _ object: UnsafeMutableRawPointer, _ offset: Int) {
    self.owner = owner
    self.offset = offset
    pointer = (object + offset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    super.init()
  }

  deinit {
    while let old = copy {
      copy = Self.older(old)
      (old - Self.header).deallocate()
    }
  }

  private static let header = 16

  // MARK: By object

  override func isNamed(_ kind: UInt, _ offset: UInt) -> Bool {
    kind == Self.name && offset == UInt(bitPattern: self.offset)
  }

  /// Tells this from other attachments of an owner.
  fileprivate static let name: UInt = 1

  /// The table for the pointer at `offset`, made when first asked for; nil if the owner is dead.
  static func of(
    _ owner: OwnerRecord, _ object: UnsafeMutableRawPointer, _ offset: Int
  ) -> ObjectTable? {
    let known = owner.find(.other, name, UInt(bitPattern: offset))
    if let known { return unsafeDowncast(known, to: ObjectTable.self) }
    // A thread that finds the table may intercept, so the death knows of it before.
    let made = ObjectTable(owner, object, offset)
    let end = ObjectTableEnd(made)
    owner.add(end)
    let table = owner.hang(made, offset)
    if table !== made { end.dispose() }
    return table
  }

  /// The slot of a method, made when first asked for, together with those of the methods that end
  /// the object.
  func slot(_ method: Method, _ interface: Interface) throws(Failure) -> ObjectSlot {
    MethodSlot.writing.acquire()
    defer { MethodSlot.writing.release() }
    if hasEnded { throw Failure(.dead) }
    if !Self.isTable(belay_word_load(pointer)) {
      throw Failure(.invalid, message: interface.name.text + ": the object has no table")
    }
    if isIn && interface.tableSize > size && !isOriginalThere { throw Failure(.mismatch) }
    grow(to: interface.tableSize)
    for ending in interface.methods where ending.endsObject { _ = try slot(ending) }
    return try slot(method)
  }

  private func slot(_ method: Method) throws(Failure) -> ObjectSlot {
    if let known = slot(at: method.offset) { return known }
    let made = try ObjectSlot(method, self)
    made.next = slots
    slots = made
    if isIn {
      // Here no function of ours has been.
      if let copy {
        made.setOriginal(Self.function(belay_word_load(Self.word(copy, method.offset))))
      }
      write(at: method.offset)
    }
    return made
  }

  private func slot(at offset: Int) -> ObjectSlot? {
    var slot = slots
    while let candidate = slot, candidate.method.offset != offset { slot = candidate.next }
    return slot
  }

  // MARK: The copy

  private static func isTable(_ table: UnsafeMutableRawPointer?) -> Bool {
    table != nil && UInt(bitPattern: table) % UInt(MemoryLayout<UInt>.alignment) == 0
  }

  /// Makes room for a table of `size`, in a copy that replaces the one before.
  private func grow(to size: Int) {
    if copy != nil && size <= self.size { return }
    let old = copy
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Self.header + size, alignment: Self.header)
    memory.storeBytes(of: old, as: UnsafeMutableRawPointer?.self)
    copy = memory + Self.header
    self.size = size
    if !isIn { return }
    fill()
    _ = belay_word_exchange(pointer, old, copy)
  }

  /// Copies the original table, except where our functions are.
  private func fill() {
    guard let originalTable, let copy else { return }
    let words = size & ~(MemoryLayout<UInt>.size - 1)
    for offset in stride(from: 0, to: words, by: MemoryLayout<UInt>.size) { write(at: offset) }
    if !isOriginalThere { return }
    (copy + words).copyMemory(from: originalTable + words, byteCount: size - words)
  }

  /// Whether our function is in the copy. For a method that ends the object it always is, if the
  /// table has such a function.
  private func isOurs(_ slot: ObjectSlot, _ original: belay_closure_function?) -> Bool {
    isIn && (slot.isIn || (slot.method.endsObject && original != nil))
  }

  /// Whether the pointer leads to a copy, or to the original.
  private var isOriginalThere: Bool {
    let found = belay_word_load(pointer)
    return found == copy || found == originalTable || found == copy.flatMap(Self.older)
  }

  /// The copy that `copy` replaced.
  private static func older(_ copy: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    (copy - header).load(as: UnsafeMutableRawPointer?.self)
  }

  /// Writes a word of the copy.
  private func write(at offset: Int) {
    guard let originalTable, let copy else { return }
    if !isOriginalThere { return writeWhatIsKnown(at: offset) }
    var word = belay_word_load(Self.word(originalTable, offset))
    if let slot = slot(at: offset) {
      let original = Self.function(word)
      slot.setOriginal(original)
      if isOurs(slot, original), let ours = slot.function {
        word = unsafeBitCast(ours, to: UnsafeMutableRawPointer.self)
      }
    }
    belay_word_store(Self.word(copy, offset), word)
  }

  /// Takes our function out of a copy that other code has replaced, but may be using.
  private func writeWhatIsKnown(at offset: Int) {
    guard let copy, let slot = slot(at: offset) else { return }
    let original = slot.originalFunction
    if isOurs(slot, original) { return }
    belay_word_store(
      Self.word(copy, offset),
      original.map { unsafeBitCast($0, to: UnsafeMutableRawPointer.self) })
  }

  private static func function(_ word: UnsafeMutableRawPointer?) -> belay_closure_function? {
    word.map { unsafeBitCast($0, to: belay_closure_function.self) }
  }

  private static func word(_ table: UnsafeMutableRawPointer, _ offset: Int) -> Word {
    (table + offset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  /// Called when a slot of `table` has been written to, so that the copies of that table follow.
  static func hasChanged(_ table: UnsafeMutableRawPointer, _ offset: Int) {
    var one = all
    while let candidate = one {
      if let originalTable = candidate.originalTable {
        let distance = table + offset - originalTable
        if distance >= 0 && distance <= candidate.size - MemoryLayout<UInt>.size {
          candidate.write(at: distance)
        }
      }
      one = candidate.nextIn
    }
  }

  /// Where the copy was made from, if `address` is in an object's copy of a table; otherwise
  /// `address`.
  static func original(of address: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    MethodSlot.writing.withLock {
      var one = all
      while let candidate = one {
        if let copy = candidate.copy, let originalTable = candidate.originalTable {
          let distance = address - copy
          if distance >= 0 && distance < candidate.size { return originalTable + distance }
        }
        one = candidate.nextIn
      }
      return address
    }
  }

  // MARK: Slots

  func putIn(_ slot: ObjectSlot) -> Code {
    if hasEnded { return .dead }
    let found = belay_word_load(pointer)
    // The code that wrote over the pointer may be using the copy.
    if isIn && found != copy { return .mismatch }
    if !isIn && !Self.isTable(found) { return .invalid }
    slot.isIn = true
    if isIn {
      write(at: slot.method.offset)
    } else {
      originalTable = found
      isIn = true
      fill()
      let code = Code(rawValue: belay_word_replace(pointer, found, copy, nil))
      if code.isFailure {
        slot.isIn = false
        leave()
        return code
      }
      nextIn = Self.all
      Self.all = self
    }
    users += 1
    return .ok
  }

  func takeOut(_ slot: ObjectSlot) -> Code {
    if hasEnded { return .ok }
    slot.isIn = false
    write(at: slot.method.offset)
    users -= 1
    if users > 0 { return .ok }
    let code = Code(rawValue: belay_word_exchange(pointer, copy, originalTable))
    if !code.isFailure { leave() }
    return code
  }

  /// Lets go of the original table, and takes this out of the list of tables whose copy is in use.
  private func leave() {
    isIn = false
    // A thread may still be using the copy, and our functions may go.
    fill()
    originalTable = nil
    var before: ObjectTable?
    var one = Self.all
    while let candidate = one, candidate !== self {
      before = candidate
      one = candidate.nextIn
    }
    guard one != nil else { return }
    if let before { before.nextIn = nextIn } else { Self.all = nextIn }
    nextIn = nil
  }

  func isUntouched(at offset: Int, _ function: belay_closure_function?) -> Bool {
    guard isIn, let copy else { return true }
    if belay_word_load(pointer) != copy { return false }
    guard let function else { return true }
    return belay_word_load(Self.word(copy, offset))
      == unsafeBitCast(function, to: UnsafeMutableRawPointer.self)
  }

  /// Sets the pointer back, and ends the slots.
  func end() {
    MethodSlot.writing.acquire()
    hasEnded = true
    var code = Code.ok
    if isIn {
      code = Code(rawValue: belay_word_exchange(pointer, copy, originalTable))
      leave()
    }
    // No slot is added any more. The slots retain this.
    var slot = slots
    slots = nil
    MethodSlot.writing.release()
    if code.isFailure { LastFailure.record(code) }
    // Each goes without the lock, because what it frees may be the host's.
    while let ending = slot {
      _ = ending.end()
      slot = ending.next
      ending.next = nil
    }
  }
}

/// Ends a table's slots at step 3 of its owner's death. (A `Forwarding` ends a proxy's part in the same
/// way; it is compared by its identity, and so has a class of its own.)
private final class ObjectTableEnd: Disposable, @unchecked Sendable {
  private let table: ObjectTable

  init(_ table: ObjectTable) {
    self.table = table
    super.init()
  }

  override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    table.end()
    finalise()
  }
}

extension OwnerRecord {
  /// Attaches a table, unless there is one for its pointer. Answers the one that is attached now; nil
  /// if this is dead.
  fileprivate final func hang(_ table: ObjectTable, _ offset: Int) -> ObjectTable? {
    defer { unlock() }
    guard let attachments = lockMadeAttachments(), !attachments.hasFallen(.other) else {
      return nil
    }
    let known = attachments.list.first(.other, ObjectTable.name, UInt(bitPattern: offset))
    if let known { return unsafeDowncast(known, to: ObjectTable.self) }
    attachments.list.append(table)
    return table
  }
}
