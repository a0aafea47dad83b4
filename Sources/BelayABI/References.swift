import CBelayShim

@_cdecl("object_destroy")
@implementation
public func object_destroy(_ object: UnsafeMutableRawPointer!) { belay_shim_destroy(object) }
