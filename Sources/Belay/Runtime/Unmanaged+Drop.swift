import CBelayShim

extension Unmanaged {
  /// Gives a reference back, counting once. (Embedded Swift 6.3 makes four of `release`: it takes
  /// references of its own around it.)
  @inline(__always)
  package func drop() { belay_shim_release(toOpaque()) }
}
