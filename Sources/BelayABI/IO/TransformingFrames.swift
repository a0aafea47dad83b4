@_spi(Engine) import Belay
import CBelay

/// An operator that cuts bytes into frames. A frame of a string is a string, if it is UTF-8.
private func framing(_ name: StaticString, _ framing: Framing, intoStrings: Bool = false)
  -> OpaquePointer?
{
  operation { source in
    // Two closures without a context, which each subscription would keep.
    intoStrings
      ? source.framed(name, framing, read: { $0.bytesBox }) { frame($0, $1, $2, .string) }
      : source.framed(name, framing, read: { $0.bytesBox }) {
        let isText = $0.valueKind == .string && UTF8Text.isValid($1)
        return frame($0, $1, $2, isText ? .string : .bytes)
      }
  }
}

private func frame(
  _ box: BytesBox, _ bytes: UnsafeRawBufferPointer, _ frames: ByteSource?, _ kind: ValueKind
) -> ForeignValue { ForeignValue(taking: box.part(bytes, as: kind, of: frames)) }

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
  _ width: UInt32, _ little_endian: Int32, _ limit: Int
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
public func belay_op_utf8() -> OpaquePointer! { framing("utf8", .utf8, intoStrings: true) }
