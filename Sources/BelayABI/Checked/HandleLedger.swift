import Belay

/// Checked builds: how many references to each handle the host holds, and which handles have
/// gone, so that using or releasing one again is reported. An address that is in use again is
/// forgotten.
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

  /// An object that lives elsewhere is shown: its address is in use.
  static func lent(_ handle: OpaquePointer) {
    lock.withLock { if references[key(handle)] == -1 { references[key(handle)] = nil } }
  }

  static func isReleased(_ handle: OpaquePointer) -> Bool {
    lock.withLock { references[key(handle)] == -1 }
  }

  /// False when there is nothing to take back.
  static func takeBack(_ handle: OpaquePointer) -> Bool {
    lock.withLock {
      guard let count = references[key(handle)], count > 0 else { return false }
      references[key(handle)] = count == 1 ? nil : count - 1
      return true
    }
  }

  /// The object goes with this reference.
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
