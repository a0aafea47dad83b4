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
