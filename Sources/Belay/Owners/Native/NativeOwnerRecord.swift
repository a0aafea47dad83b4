import CBelayShim

/// What ends with a native Swift object, of whatever class. Keeps it neither alive nor, when its
/// time has come, from dying.
final class NativeOwnerRecord: OwnerRecord, @unchecked Sendable {
  let object: UnsafeMutableRawPointer

  init(of object: UnsafeMutableRawPointer) {
    self.object = object
    super.init(diesWithItsHandles: false)
  }

  /// One for an object whose death nobody will tell of.
  static func ended() -> OwnerRecord {
    let record = OwnerRecord()
    record.releaseHandle()
    return record
  }

  override var address: UnsafeMutableRawPointer? { object }

  /// The object's death, whole, on the thread that dropped its last reference. False when it has
  /// begun already.
  func die(by destroyer: UnsafeMutableRawPointer) -> Bool {
    guard let running = beginDeath() else { return false }
    _ = Quiescence.forOthers(running)
    // An unowned reference: deinit and members go, and the memory waits for step 8.
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

  /// An isolated deinit is on its way to its actor. The runtime tells nobody when it has run;
  /// what tells is that the object has ceased to hold its own memory.
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
