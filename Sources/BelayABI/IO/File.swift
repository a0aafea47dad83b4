@_spi(Engine) import Belay
import BelayIO
@_spi(Engine) import BelayLoop
import CBelay

@_cdecl("belay_work")
@implementation
public func belay_work(
  _ l: OpaquePointer!, _ work: belay_produce_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let work else { return failed(invalid(l)) }
  guard let loop = open(l) else { return nil }
  return give(
    loop.user.work { () throws(Failure) -> ForeignValue in
      defer { extendLifetime(context) }
      return try value { work(ctx) }
    })
}

@_cdecl("belay_file_read")
@implementation
public func belay_file_read(_ l: OpaquePointer!, _ path: UnsafePointer<CChar>!) -> OpaquePointer! {
  atPath(l, path) { $0.user.fileBytes($1) { ForeignValue(taking: BytesBox(copying: $0)) } }
}

@_cdecl("belay_file_chunks")
@implementation
public func belay_file_chunks(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ flags: UInt32
) -> OpaquePointer! {
  guard flags & ~UInt32(BELAY_FILE_FOLLOW | BELAY_FILE_FROM_END) == 0 else {
    return failed(invalid(l))
  }
  return atPath(l, path) {
    $0.core.fileChunks($1, FileLinesOptions(rawValue: flags)) {
      ForeignValue(taking: CountedBytes(copying: $0, from: $1))
    }
  }
}

@_cdecl("belay_file_write")
@implementation
public func belay_file_write(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ content: belay_value
) -> OpaquePointer! {
  let kept = Kept(taking: foreign(content))
  guard let box = kept.value.bytesBox else {
    return failed(l == nil || path == nil ? invalid(l) : .wrongKind)
  }
  return atPath(l, path) { loop, path in
    loop.user.work { () throws(Failure) -> ForeignValue in
      try FileCall.replace(path, by: box.bytes)
      return .null
    }
  }
}

@_cdecl("belay_directory_list")
@implementation
public func belay_directory_list(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!
) -> OpaquePointer! {
  atPath(l, path) { loop, path in
    loop.user.work { () throws(Failure) -> ForeignValue in
      var entries: [ForeignValue] = []
      try FileCall.list(path) {
        entries.append(twoValues(textValue($0), ForeignValue(scalar: UInt64($1.rawValue), .int32)))
      }
      return ForeignValue(taking: ArrayBox(taking: entries))
    }
  }
}
