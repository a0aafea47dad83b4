import CBelayShim

extension Unmanaged {
  /// Gives a reference back, counting once. (Embedded Swift 6.3 makes four of `release`: it takes
  /// references of its own around it.)
  @inline(__always)
  package func drop() { belay_shim_release(toOpaque()) }

  /// Takes another reference to an object that no other thread knows yet.
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
  /// Whether no other thread can reach this, so that nothing of it need be atomic: the process has
  /// one thread, or whoever asks has the only reference. (An ordinary Swift object cannot tell.)
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
