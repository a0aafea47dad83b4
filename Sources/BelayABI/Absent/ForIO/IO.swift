@_spi(Engine) import Belay
import CBelay

// The functions of I/O in a build without it. Each fails, and frees what the caller gives away. The
// declarations are those of the folder IO, because a library has one of the two folders.

private func absent() -> OpaquePointer? { failed(.unsupported, "built without I/O") }

// MARK: Source

@_cdecl("belay_file_lines")
@implementation
public func belay_file_lines(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ flags: UInt32
) -> OpaquePointer! { absent() }

@_cdecl("belay_posix_signal")
@implementation
public func belay_posix_signal(_ l: OpaquePointer!, _ signum: Int32) -> OpaquePointer! { absent() }
