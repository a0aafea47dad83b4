@_spi(Engine) import Belay

/// In a checked build, counts the references that the host holds to each handle, and remembers which handles
/// were released for the last time. So it can report that the host uses or releases one again. It forgets an
/// address that is in use again.
enum HandleLedger {
  private static let lock = Lock()
  nonisolated(unsafe) private static var references: [UInt: Int] = [:]
  nonisolated(unsafe) private static var gone: [UInt] = []
  private static let remembered = 4096

  private static func key(_ handle: OpaquePointer) -> UInt { UInt(bitPattern: handle) }

  static func gave(_ handle: OpaquePointer) {
    lock.withLock {
      let held = references[key(handle)] ?? 0
      references[key(handle)] = max(0, held) + 1
    }
  }

  /// The host borrows a handle, so its address is in use.
  static func lent(_ handle: OpaquePointer) {
    lock.withLock { if references[key(handle)] == -1 { references[key(handle)] = nil } }
  }

  static func isReleased(_ handle: OpaquePointer) -> Bool {
    lock.withLock { references[key(handle)] == -1 }
  }

  /// Takes a reference off the host's count. False if the host has none.
  static func takeBack(_ handle: OpaquePointer) -> Bool {
    lock.withLock {
      guard let count = references[key(handle)], count > 0 else { return false }
      references[key(handle)] = count == 1 ? nil : count - 1
      return true
    }
  }

  /// The object is about to end with this reference.
  static func willGo(_ handle: OpaquePointer) {
    lock.withLock {
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
