import CBelayClosure

/// A slot in a table in memory.
package final class TableSlot: MethodSlot, @unchecked Sendable {
  let table: UnsafeMutableRawPointer
  // `writing` protects the fields below.
  /// 0: read-only memory is not written to; -1: it is. Otherwise it was, and had this protection, so
  /// that our function can be taken out where no descriptor is free.
  private var protection: Int32 = 0
  private var isWritten = false

  private init(_ method: Method, _ table: UnsafeMutableRawPointer) throws(Failure) {
    self.table = table
    try super.init(method)
  }

  private var word: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    (table + method.offset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  override func putIn(_ function: belay_closure_function) -> Code {
    let ours = unsafeBitCast(function, to: UnsafeMutableRawPointer.self)
    let found = belay_word_load(word)
    // Other code had written over it, and has put our function back.
    if found == ours {
      isWritten = true
      return .ok
    }
    // Other code has written over it, and may call our function. So the slot is left as it is.
    if isWritten { return .mismatch }
    setOriginal(found.map { unsafeBitCast($0, to: belay_closure_function.self) })
    let code = Code(rawValue: belay_word_replace(word, found, ours, &protection))
    isWritten = !code.isFailure
    ObjectTable.hasChanged(table, method.offset)
    return code
  }

  override func takeOut() -> Code {
    guard let function else { return .ok }
    let ours = unsafeBitCast(function, to: UnsafeMutableRawPointer.self)
    let original = originalFunction.map { unsafeBitCast($0, to: UnsafeMutableRawPointer.self) }
    let code = Code(rawValue: belay_word_replace(word, ours, original, &protection))
    if !code.isFailure { isWritten = false }
    ObjectTable.hasChanged(table, method.offset)
    return code
  }

  /// It is after a `takeOut` that other code's function, or the system, prevented.
  override var isStillIn: Bool { isWritten }

  override var isUntouched: Bool {
    guard isWritten, let function else { return true }
    return belay_word_load(word) == unsafeBitCast(function, to: UnsafeMutableRawPointer.self)
  }

  // MARK: By table

  private static let lock = Lock()
  nonisolated(unsafe) private static var known: ReferenceArray<TableSlot> = []

  /// The slot of a method in a table, made when first asked for. The table of an object that is
  /// intercepted is the one from which its copy was made.
  package static func at(
    _ method: Method, in table: UnsafeMutableRawPointer, unprotects: Bool
  ) throws(Failure) -> MethodSlot {
    let table = ObjectTable.original(of: table)
    let found = lock.withLock { find(method, table) }
    let slot: TableSlot
    if let found { slot = found } else { slot = try make(method, table) }
    if unprotects { writing.withLock { if slot.protection == 0 { slot.protection = -1 } } }
    return try slot.checked(method)
  }

  private static func make(
    _ method: Method, _ table: UnsafeMutableRawPointer
  ) throws(Failure) -> TableSlot {
    let made = try TableSlot(method, table)
    let winner = lock.withLock { () -> TableSlot in
      if let slot = find(method, table) { return slot }
      known.append(made)
      return made
    }
    if winner !== made { _ = made.end() }
    return winner
  }

  /// `lock` is held.
  private static func find(
    _ method: Method, _ table: UnsafeMutableRawPointer
  ) -> TableSlot? {
    for slot in known where slot.table == table && slot.method.offset == method.offset {
      return slot
    }
    return nil
  }

  /// Ends the slots of a table whose memory is about to be freed. Answers `.notFound` if there are
  /// none.
  package static func tableIsGone(_ table: UnsafeMutableRawPointer) -> Code {
    let table = ObjectTable.original(of: table)
    var rests: ReferenceArray<Rest> = []
    // All at once: a slot that is made from now on, also by what is called here, finds the originals.
    lock.withLock {
      writing.withLock {
        for slot in known.take(where: { $0.table == table }) { rests.append(slot.leave()) }
      }
    }
    var code = rests.isEmpty ? Code.notFound : .ok
    for rest in rests {
      rest.finish()
      if rest.code.isFailure { code = rest.code }
    }
    return code
  }
}
