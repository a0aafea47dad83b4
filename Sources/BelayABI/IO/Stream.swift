@_spi(Engine) import Belay
@_spi(Engine) import BelayIO
@_spi(Engine) import BelayLoop
import CBelay

/// The options behind a pointer of C's. Otherwise records the failure, and answers nil.
func streamOptions(_ options: UnsafePointer<belay_stream_options>?) -> StreamOptions? {
  var made = StreamOptions()
  guard let options else { return made }
  guard let given = known(options), given.keepalive >= 0, given.keepalive <= 32767,
    given.backlog >= 0
  else {
    fail(.invalid)
    return nil
  }
  if let high = counted(given.read_high) { made.readHigh = high }
  made.readLow = counted(given.read_low) ?? made.readHigh / 2
  if let high = counted(given.write_high) { made.writeHigh = high }
  // Linux knows whole seconds up to this.
  if given.keepalive > 0 { made.keepAliveSeconds = max(1, Int32(given.keepalive)) }
  made.noDelay = given.nodelay != 0
  if given.backlog != 0 { made.backlog = given.backlog }
  made.reusesPort = given.reuse_port != 0
  made.isIPv6Only = given.ipv6_only != 0
  made.label = StaticSite(at: given.label)
  made.site = StaticSite(at: given.site)
  return made
}

func streamValue(_ stream: BelayIO.Stream) -> ForeignValue { ForeignValue(taking: stream) }

private func stream(_ handle: OpaquePointer?) -> BelayIO.Stream? {
  object(handle, BelayIO.Stream.self)
}

@_cdecl("belay_stream_open")
@implementation
public func belay_stream_open(
  _ l: OpaquePointer!, _ fd: Int32, _ options: UnsafePointer<belay_stream_options>!
) -> OpaquePointer! {
  guard let loop = object(l, Loop.self) else {
    Stream.close(fd)
    return failed(.missing)
  }
  guard let core = here(l) else { return nil }
  guard let options = streamOptions(options) else {
    if !core.has(fd) { Stream.close(fd) }
    return nil
  }
  return giving { () throws(Failure) in try loop.openStream(fd, options) }
}

@_cdecl("belay_stream_open_path")
@implementation
public func belay_stream_open_path(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ flags: UInt32,
  _ options: UnsafePointer<belay_stream_options>!
) -> OpaquePointer! {
  guard let path, flags >= 1, flags <= 3, let loop = object(l, Loop.self) else {
    return failed(invalid(l))
  }
  guard let options = streamOptions(options) else { return nil }
  return giving { () throws(Failure) in
    try loop.openStream(
      CText(copying: path), reads: flags & 1 != 0, writes: flags & 2 != 0, options)
  }
}

@_cdecl("belay_stream_retain")
@implementation
public func belay_stream_retain(_ s: OpaquePointer!) -> OpaquePointer! { retain(s) }

@_cdecl("belay_stream_release")
@implementation
public func belay_stream_release(_ s: OpaquePointer!) { release(s) }

@_cdecl("belay_stream_read")
@implementation
public func belay_stream_read(_ s: OpaquePointer!) -> OpaquePointer! {
  guard let stream = stream(s) else { return failed(.missing) }
  return give(stream.read { ForeignValue(taking: $0) })
}

@_cdecl("belay_stream_write")
@implementation
public func belay_stream_write(_ s: OpaquePointer!, _ value: belay_value) -> Int32 {
  giving(value, to: stream(s)) { stream, value in
    defer { discard(value) }
    guard let box = value.bytesBox else { return .wrongKind }
    return stream.write(box)
  }
}

@_cdecl("belay_stream_write_all")
@implementation
public func belay_stream_write_all(_ s: OpaquePointer!, _ source: OpaquePointer!) -> OpaquePointer!
{
  guard let source = take(source, CSignal.self), let stream = stream(s) else {
    return failed(.missing)
  }
  return give(stream.writeAll(source) { $0.bytesBox })
}

@_cdecl("belay_stream_drained")
@implementation
public func belay_stream_drained(_ s: OpaquePointer!, _ limit: Int) -> OpaquePointer! {
  guard let stream = stream(s) else { return failed(.missing) }
  let drained: CSignal = stream.drained(limit < 0 ? .max : limit)
  return give(drained)
}

@_cdecl("belay_stream_shutdown")
@implementation
public func belay_stream_shutdown(_ s: OpaquePointer!) -> Int32 {
  guard let stream = stream(s) else { return fail(.missing) }
  stream.shutDown()
  return 0
}

@_cdecl("belay_stream_close")
@implementation
public func belay_stream_close(_ s: OpaquePointer!) -> Int32 {
  guard let stream = stream(s) else { return fail(.missing) }
  stream.close()
  return 0
}

@_cdecl("belay_stream_create_disposable")
@implementation
public func belay_stream_create_disposable(_ s: OpaquePointer!) -> OpaquePointer! {
  guard let stream = stream(s) else { return failed(.missing) }
  return give(stream.asDisposable())
}

@_cdecl("belay_stream_waiting")
@implementation
public func belay_stream_waiting(_ s: OpaquePointer!) -> Int { stream(s)?.waitingToWrite ?? 0 }

@_cdecl("belay_stream_held")
@implementation
public func belay_stream_held(_ s: OpaquePointer!) -> Int { stream(s)?.heldBytes ?? 0 }

@_cdecl("belay_stream_local_address")
@implementation
public func belay_stream_local_address(_ s: OpaquePointer!) -> UnsafePointer<CChar>! {
  address(s) { $0.localName }
}

@_cdecl("belay_stream_peer_address")
@implementation
public func belay_stream_peer_address(_ s: OpaquePointer!) -> UnsafePointer<CChar>! {
  address(s) { $0.peerName }
}

private func address(
  _ handle: OpaquePointer?, _ name: (StreamCore) -> UnsafePointer<CChar>
) -> UnsafePointer<CChar> {
  var code = Code.ok
  if let stream = here(handle, &code) { return name(stream) }
  _ = fail(code)
  return StaticSite("").pointer
}

/// The stream behind a handle, if this is its loop's thread. Otherwise `code` says why not.
private func here(_ handle: OpaquePointer?, _ code: inout Code) -> StreamCore? {
  guard let stream = stream(handle) else {
    code = .missing
    return nil
  }
  if stream.isHere { return stream.core }
  code = .wrongThread
  return nil
}

@_cdecl("belay_stream_set_raw")
@implementation
public func belay_stream_set_raw(_ s: OpaquePointer!, _ raw: Int32) -> Int32 {
  var code = Code.ok
  guard let stream = here(s, &code) else { return fail(code) }
  return answer(stream.setRaw(raw != 0))
}

@_cdecl("belay_stream_window_size")
@implementation
public func belay_stream_window_size(
  _ s: OpaquePointer!, _ columns: UnsafeMutablePointer<Int32>!, _ rows: UnsafeMutablePointer<Int32>!
) -> Int32 {
  var code = Code.ok
  guard let stream = here(s, &code) else { return fail(code) }
  let (failure, size) = stream.windowSize()
  if failure.isFailure { return fail(failure) }
  columns?.pointee = Int32(size.columns)
  rows?.pointee = Int32(size.rows)
  return 0
}

@_cdecl("belay_stream_window_sizes")
@implementation
public func belay_stream_window_sizes(_ s: OpaquePointer!) -> OpaquePointer! {
  guard let stream = stream(s) else { return failed(.missing) }
  return give(
    stream.windowSizes {
      pair(
        ForeignValue(scalar: UInt64($0.columns), .int32),
        ForeignValue(scalar: UInt64($0.rows), .int32))
    })
}
