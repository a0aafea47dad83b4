@_spi(Engine) import Belay
import BelayIO
@_spi(Engine) import BelayLoop
import CBelay

/// The loop behind a handle, if it is open. Otherwise records the failure, and answers nil.
func open(_ handle: OpaquePointer?) -> Loop? {
  guard let loop = object(handle, Loop.self) else {
    fail(.missing)
    return nil
  }
  if loop.isClosed {
    fail(.closed)
    return nil
  }
  return loop
}

@_cdecl("belay_file_lines")
@implementation
public func belay_file_lines(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ flags: UInt32
) -> OpaquePointer! {
  guard let path, flags & ~UInt32(BELAY_FILE_FOLLOW | BELAY_FILE_FROM_END) == 0 else {
    return failed(invalid(l))
  }
  guard let loop = open(l) else { return nil }
  return give(
    loop.core.fileLines(CText(copying: path), FileLinesOptions(rawValue: flags)) {
      let kind: ValueKind = UTF8Text.isValid($0) ? .string : .bytes
      return ForeignValue(taking: CountedBytes(copying: $0, from: $1, as: kind))
    })
}

@_cdecl("belay_posix_signal")
@implementation
public func belay_posix_signal(_ l: OpaquePointer!, _ signum: Int32) -> OpaquePointer! {
  guard signum > 0, signum < 65 else { return failed(invalid(l)) }
  guard let loop = open(l) else { return nil }
  return give(
    loop.core.posixSignal(signum) {
      ForeignValue(scalar: UInt64(bitPattern: Int64($0)), .int32)
    })
}
