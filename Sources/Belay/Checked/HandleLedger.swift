/// In a checked build, counts the references that the host holds to each handle, and remembers the handles
/// whose object has gone. So it can report that the host uses or releases one again. It forgets an address
/// that is in use again.
package enum HandleLedger {
  private static let lock = Lock()
  /// Those of each object that has had a handle; -1: it has gone.
  nonisolated(unsafe) private static var references: [UInt: Int] = [:]
  nonisolated(unsafe) private static var gone: [UInt] = []
  private static let remembered = 4096

  private static func key(_ handle: OpaquePointer) -> UInt { UInt(bitPattern: handle) }

  package static func gave(_ handle: OpaquePointer) {
    lock.withLock {
      let held = references[key(handle)] ?? 0
      references[key(handle)] = max(0, held) + 1
    }
  }

  /// The host borrows a handle, so its address is in use.
  package static func lent(_ handle: OpaquePointer) {
    lock.withLock {
      let held = references[key(handle)] ?? 0
      references[key(handle)] = max(0, held)
    }
  }

  package static func isReleased(_ handle: OpaquePointer) -> Bool {
    lock.withLock { references[key(handle)] == -1 }
  }

  /// Takes a reference off the host's count. False if the host has none.
  package static func takeBack(_ handle: OpaquePointer) -> Bool {
    lock.withLock {
      guard let count = references[key(handle)], count > 0 else { return false }
      references[key(handle)] = count - 1
      return true
    }
  }

  /// The object is about to end, or has ended.
  package static func goes(_ object: Entity) {
    let handle = OpaquePointer(Unmanaged.passUnretained(object).toOpaque())
    lock.withLock {
      guard let held = references[key(handle)], held >= 0 else { return }
      references[key(handle)] = -1
      gone.append(key(handle))
      if gone.count > remembered { forgetOldest() }
    }
  }

  private static func forgetOldest() {
    for old in gone[..<(remembered / 2)] where references[old] == -1 { references[old] = nil }
    gone.removeFirst(remembered / 2)
  }
}
