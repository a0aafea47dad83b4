import CBelayShim

/// The owner of a native Swift object of any class. It neither keeps the object alive nor delays
/// its death.
final class NativeOwnerRecord: OwnerRecord, @unchecked Sendable {
  let object: UnsafeMutableRawPointer

  init(of object: UnsafeMutableRawPointer) {
    self.object = object
    super.init(diesWithItsHandles: false)
  }

  /// A record for an object whose death will not be detected.
  static func ended() -> OwnerRecord {
    let record = OwnerRecord()
    record.releaseHandle()
    return record
  }

  override var address: UnsafeMutableRawPointer? { object }

  /// Runs the object's whole death, on the thread that released its last reference. Answers false
  /// if the death has begun already.
  func die(by destroyer: UnsafeMutableRawPointer) -> Bool {
    guard beginDeathNow() != nil else { return false }
    // With this unowned reference the memory outlasts the deinit and the properties, until step 8.
    belay_native_hold_memory(object)
    let holders = belay_native_memory_holders(object)
    belay_native_destroy(destroyer, object)
    if holders == 2, belay_native_memory_holders(object) == 2 {
      finishWhenDestroyed()
    } else {
      finishDeath()
    }
    return true
  }

  /// Finishes the death after an isolated deinit, which is on its way to its actor. The runtime
  /// does not say when that has run, but then the object no longer holds its own memory.
  private func finishWhenDestroyed() {
    Task.detached { [self] in
      var pause = Duration.microseconds(50)
      while belay_native_memory_holders(object) > 1 {
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(20))
      }
      finishDeath()
    }
  }

  override func runDealloc() {
    NativeOwners.forget(self)
    belay_native_let_memory_go(object)
  }
}
