#if BELAY_CHECKED
  import Belay

  /// Checked builds: how many references to each handle the host holds. What has been released for
  /// good is remembered for a while, so that using or releasing it again is reported.
  enum HandleLedger {
    private static let lock = Lock()
    nonisolated(unsafe) private static var references: [UInt: Int] = [:]
    nonisolated(unsafe) private static var released: [UInt] = []
    private static let remembered = 4096

    private static func key(_ handle: OpaquePointer) -> UInt { UInt(bitPattern: handle) }

    static func gave(_ handle: OpaquePointer) {
      lock.withLock { references[key(handle), default: 0] += 1 }
    }

    /// An object that lives elsewhere is shown again: its address is in use.
    static func lent(_ handle: OpaquePointer) {
      lock.withLock { if references[key(handle)] == 0 { references[key(handle)] = nil } }
    }

    static func isReleased(_ handle: OpaquePointer) -> Bool {
      lock.withLock { references[key(handle)] == 0 }
    }

    /// False when there is nothing to take back.
    static func takeBack(_ handle: OpaquePointer) -> Bool {
      lock.withLock {
        guard let count = references[key(handle)], count > 0 else { return false }
        references[key(handle)] = count - 1
        if count == 1 {
          released.append(key(handle))
          if released.count > remembered { forgetOldest() }
        }
        return true
      }
    }

    private static func forgetOldest() {
      for old in released[..<(remembered / 2)] where references[old] == 0 {
        references[old] = nil
      }
      released.removeFirst(remembered / 2)
    }
  }
#endif
