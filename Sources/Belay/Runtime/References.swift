import CBelayShim

extension Unmanaged {
  /// Gives a reference back. (Embedded Swift 6.3 also retains and releases the object around
  /// `release`.)
  @inline(__always)
  package func drop() { belay_shim_release(toOpaque()) }

  /// Retains an object that no other thread knows yet.
  @inline(__always)
  package static func passRetainedUnshared(_ object: Instance) -> Unmanaged {
    #if hasFeature(Embedded)
      let unshared = passUnretained(object)
      belay_shim_retain_unshared(unshared.toOpaque())
      return unshared
    #else
      return passRetained(object)
    #endif
  }
}

extension Entity {
  /// Whether no other thread can reach this, so that plain memory operations suffice: the process
  /// has one thread, or the caller has the only reference. (For an ordinary Swift object that
  /// cannot be found out.)
  @inline(__always)
  final var isUnshared: Bool {
    if belay_shim_is_alone() { return true }
    #if hasFeature(Embedded)
      return belay_shim_has_one_reference(Unmanaged.passUnretained(self).toOpaque())
    #else
      return false
    #endif
  }
}
