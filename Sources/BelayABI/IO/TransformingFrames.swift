@_spi(Engine) import Belay
import CBelay

extension ForeignValue: FrameValue {
  package var wholeBytes: BytesBox? { bytesBox }

  /// A frame of a string is a string, if it is UTF-8.
  package static func frame(
    _ bytes: UnsafeRawBufferPointer, of whole: BytesBox, at frames: ByteSource?, isText: Bool
  ) -> ForeignValue {
    let isString = isText || whole.valueKind == .string && UTF8Text.isValid(bytes)
    return ForeignValue(taking: whole.part(bytes, as: isString ? .string : .bytes, of: frames))
  }
}

/// An operator that cuts bytes into frames.
private func framing(_ name: StaticString, _ framing: Framing, intoTexts: Bool = false)
  -> OpaquePointer?
{
  operation { $0.framed(name, framing, intoTexts: intoTexts) }
}

@_cdecl("belay_op_lines")
@implementation
public func belay_op_lines(_ limit: Int) -> OpaquePointer! {
  guard let limit = counted(limit) else { return failed(.invalid) }
  return framing("lines", .lines(limit: limit, inPieces: false))
}

@_cdecl("belay_op_frames_delimited")
@implementation
public func belay_op_frames_delimited(
  _ delimiter: UnsafeRawPointer!, _ size: Int, _ limit: Int
) -> OpaquePointer! {
  guard let delimiter, size > 0, size <= 1024, let limit = counted(limit) else {
    return failed(.invalid)
  }
  let mark = Array(UnsafeRawBufferPointer(start: delimiter, count: size))
  return framing("frames_delimited", .delimiter(mark, limit: limit))
}

@_cdecl("belay_op_frames_fixed")
@implementation
public func belay_op_frames_fixed(_ size: Int) -> OpaquePointer! {
  guard let size = counted(size) else { return failed(.invalid) }
  return framing("frames_fixed", .fixed(size))
}

@_cdecl("belay_op_frames_prefixed")
@implementation
public func belay_op_frames_prefixed(
  _ width: UInt32, _ limit: Int, _ little_endian: Int32
) -> OpaquePointer! {
  guard width > 0, width <= 8, width & (width - 1) == 0, let limit = counted(limit) else {
    return failed(.invalid)
  }
  return framing(
    "frames_prefixed",
    .prefixed(width: Int(width), isLittleEndian: little_endian != 0, limit: limit))
}

@_cdecl("belay_op_utf8")
@implementation
public func belay_op_utf8() -> OpaquePointer! { framing("utf8", .utf8, intoTexts: true) }
