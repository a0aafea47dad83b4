import CBelayShim

/// What references.c, which is C's, cannot call itself.
@_cdecl("object_destroy")
public func object_destroy(_ object: UnsafeMutableRawPointer) { belay_shim_destroy(object) }
