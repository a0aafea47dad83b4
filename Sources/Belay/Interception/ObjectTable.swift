import CBelayClosure

/// A private copy of an object's table, to which its table pointer leads while a slot of it is
/// wanted. Interfaces that describe the same pointer share it.
///
/// Everything but `owner` is touched while placing only (`MethodSlot.placing`).
final class ObjectTable: Attachment, @unchecked Sendable {
  private typealias Place = UnsafeMutablePointer<UnsafeMutableRawPointer?>

  let owner: OwnerRecord
  private let offset: Int
  /// Where the object has the pointer to its table.
  private let place: Place
  /// What the pointer led to, while it leads to the copy.
  private var source: UnsafeMutableRawPointer?
  /// What it leads to; the word before it is the address of a smaller one, which it replaced. They
  /// stay as long as this, for a thread may have loaded the pointer.
  private var copy: UnsafeMutableRawPointer?
  private var size = 0
  private var slots: ObjectSlot?
  /// How many slots are wanted.
  private var users = 0
  /// Whether the copy was put in, and not taken out again.
  private var isIn = false
  private var hasEnded = false

  /// Those whose copy is in.
  nonisolated(unsafe) private static var all: ObjectTable?
  private var nextIn: ObjectTable?

  private init(_ owner: OwnerRecord, _ object: UnsafeMutableRawPointer, _ offset: Int) {
    self.owner = owner
    self.offset = offset
    place = (object + offset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    super.init()
  }

  deinit {
    while let old = copy {
      copy = (old - Self.header).load(as: UnsafeMutableRawPointer?.self)
      (old - Self.header).deallocate()
    }
  }

  private static let header = 16

  // MARK: By object

  override func isNamed(_ kind: UInt, _ offset: UInt) -> Bool {
    kind == Self.name && offset == UInt(bitPattern: self.offset)
  }

  /// What tells it from whatever else hangs on an owner.
  private static let name: UInt = 1

  /// The one for the pointer at `offset`, made at the first ask; nil when the owner is dead.
  static func of(
    _ owner: OwnerRecord, _ object: UnsafeMutableRawPointer, _ offset: Int
  ) -> ObjectTable? {
    let made = ObjectTable(owner, object, offset)
    guard let attachments = owner.lockMadeAttachments(), !attachments.hasFallen(.other) else {
      owner.unlock()
      return nil
    }
    let known = attachments.list.first(.other, name, UInt(bitPattern: offset))
    if known == nil { attachments.list.append(made) }
    owner.unlock()
    if let known { return unsafeDowncast(known, to: ObjectTable.self) }
    owner.add(ObjectTableEnd(made))
    return made
  }

  /// A method's slot, made at the first ask, with those of the methods that end the object.
  func slot(_ method: Method, _ interface: Interface) throws(Failure) -> ObjectSlot {
    MethodSlot.placing.acquire()
    defer { MethodSlot.placing.release() }
    if hasEnded { throw Failure(.dead) }
    if !Self.isTable(belay_place_load(place)) {
      throw Failure(.invalid, message: interface.name.text + ": the object has no table")
    }
    grow(to: interface.tableSize)
    for ending in interface.methods where ending.endsObject { _ = try slot(ending) }
    return try slot(method)
  }

  private func slot(_ method: Method) throws(Failure) -> ObjectSlot {
    if let known = slot(at: method.offset) { return known }
    let made = try ObjectSlot(method, self)
    made.next = slots
    slots = made
    if isIn { write(at: method.offset) }
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

  /// Has room for a table of that size, in a copy that takes the place of the one before.
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
    _ = belay_place_exchange(place, old, copy)
  }

  /// Copies what the pointer has led to, but for our functions.
  private func fill() {
    guard let source, let copy else { return }
    let words = size & ~(MemoryLayout<UInt>.size - 1)
    for offset in stride(from: 0, to: words, by: MemoryLayout<UInt>.size) { write(at: offset) }
    (copy + words).copyMemory(from: source + words, byteCount: size - words)
  }

  /// Whether the copy has our function. Of a method that ends the object always, if there is one.
  private func isOurs(_ slot: ObjectSlot, _ original: belay_closure_function?) -> Bool {
    !hasEnded && (slot.isIn || (slot.method.endsObject && original != nil))
  }

  /// Writes a word of the copy.
  private func write(at offset: Int) {
    guard let source, let copy else { return }
    var word = belay_place_load(Self.word(source, offset))
    if let slot = slot(at: offset) {
      let original = word.map { unsafeBitCast($0, to: belay_closure_function.self) }
      slot.setOriginal(original)
      if isOurs(slot, original), let ours = slot.function {
        word = unsafeBitCast(ours, to: UnsafeMutableRawPointer.self)
      }
    }
    belay_place_store(Self.word(copy, offset), word)
  }

  private static func word(_ table: UnsafeMutableRawPointer, _ offset: Int) -> Place {
    (table + offset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  /// A slot of a table has been written to: the copies of that table follow.
  static func hasChanged(_ table: UnsafeMutableRawPointer, _ offset: Int) {
    var one = all
    while let candidate = one {
      if let source = candidate.source {
        let distance = table + offset - source
        if distance >= 0 && distance <= candidate.size - MemoryLayout<UInt>.size {
          candidate.write(at: distance)
        }
      }
      one = candidate.nextIn
    }
  }

  // MARK: Its slots

  func putIn(_ slot: ObjectSlot) -> Code {
    if hasEnded { return .dead }
    let found = belay_place_load(place)
    // Who wrote over it may have the copy in use.
    if isIn && found != copy { return .mismatch }
    slot.isIn = true
    if isIn {
      write(at: slot.method.offset)
    } else {
      if !Self.isTable(found) { return .invalid }
      source = found
      fill()
      let code = Code(rawValue: belay_place_replace(place, found, copy, false))
      slot.isIn = !code.isFailure
      if code.isFailure { return code }
      isIn = true
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
    let code = Code(rawValue: belay_place_exchange(place, copy, source))
    if !code.isFailure { leave() }
    return code
  }

  /// It is none of those any more whose copy is in.
  private func leave() {
    isIn = false
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
    if belay_place_load(place) != copy { return false }
    guard let function else { return true }
    return belay_place_load(Self.word(copy, offset))
      == unsafeBitCast(function, to: UnsafeMutableRawPointer.self)
  }

  /// The pointer is put back, and its slots end.
  func end() {
    MethodSlot.placing.acquire()
    hasEnded = true
    var code = Code.ok
    if isIn { code = Code(rawValue: belay_place_exchange(place, copy, source)) }
    leave()
    // Our functions go with the slots, and the copy may be in somebody's hands.
    fill()
    var slot = slots
    MethodSlot.placing.release()
    if code.isFailure { LastFailure.record(code) }
    // No slot is added any more.
    while let ending = slot {
      _ = ending.end()
      slot = ending.next
    }
    MethodSlot.placing.acquire()
    // They hold this.
    while let ended = slots {
      slots = ended.next
      ended.next = nil
    }
    MethodSlot.placing.release()
  }
}

/// Ends a table's slots at step 3 of its owner's death.
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
