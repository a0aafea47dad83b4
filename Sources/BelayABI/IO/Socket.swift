@_spi(Engine) import Belay
@_spi(Engine) import BelayIO
@_spi(Engine) import BelayLoop
import CBelay

private func connect(
  _ l: OpaquePointer?, _ endpoint: Endpoint?, _ options: UnsafePointer<belay_stream_options>?
) -> OpaquePointer? {
  guard let endpoint else { return failed(invalid(l)) }
  guard let options = streamOptions(options), let loop = open(l) else { return nil }
  return give(loop.core.connect(endpoint, options) { streamValue($0) })
}

@_cdecl("belay_tcp_connect")
@implementation
public func belay_tcp_connect(
  _ l: OpaquePointer!, _ host: UnsafePointer<CChar>!, _ port: UInt16,
  _ options: UnsafePointer<belay_stream_options>!
) -> OpaquePointer! { connect(l, host.map { .tcp(CText(copying: $0), port) }, options) }

@_cdecl("belay_unix_connect")
@implementation
public func belay_unix_connect(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!,
  _ options: UnsafePointer<belay_stream_options>!
) -> OpaquePointer! { connect(l, path.map { .unix(CText(copying: $0)) }, options) }

@_cdecl("belay_tcp_listen")
@implementation
public func belay_tcp_listen(
  _ l: OpaquePointer!, _ host: UnsafePointer<CChar>!, _ port: UInt16,
  _ options: UnsafePointer<belay_stream_options>!
) -> OpaquePointer! {
  guard let loop = object(l, Loop.self) else { return failed(.missing) }
  guard let options = streamOptions(options) else { return nil }
  return giving { () throws(Failure) in
    try loop.listenTCP(host.map { CText(copying: $0) }, port, options)
  }
}

@_cdecl("belay_unix_listen")
@implementation
public func belay_unix_listen(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!,
  _ options: UnsafePointer<belay_stream_options>!
) -> OpaquePointer! {
  guard let path, let loop = object(l, Loop.self) else { return failed(invalid(l)) }
  guard let options = streamOptions(options) else { return nil }
  return giving { () throws(Failure) in try loop.listenUnix(CText(copying: path), options) }
}

private func listener(_ handle: OpaquePointer?) -> Listener? { object(handle, Listener.self) }

@_cdecl("belay_listener_retain")
@implementation
public func belay_listener_retain(_ s: OpaquePointer!) -> OpaquePointer! { retain(s) }

@_cdecl("belay_listener_release")
@implementation
public func belay_listener_release(_ s: OpaquePointer!) { release(s) }

@_cdecl("belay_listener_connections")
@implementation
public func belay_listener_connections(_ s: OpaquePointer!) -> OpaquePointer! {
  guard let listener = listener(s) else { return failed(.missing) }
  return give(listener.connections { streamValue($0) })
}

@_cdecl("belay_listener_close")
@implementation
public func belay_listener_close(_ s: OpaquePointer!) -> Int32 {
  guard let listener = listener(s) else { return fail(.missing) }
  listener.close()
  return 0
}

@_cdecl("belay_listener_create_disposable")
@implementation
public func belay_listener_create_disposable(_ s: OpaquePointer!) -> OpaquePointer! {
  guard let listener = listener(s) else { return failed(.missing) }
  return give(listener.asDisposable())
}

@_cdecl("belay_listener_address")
@implementation
public func belay_listener_address(_ s: OpaquePointer!) -> UnsafePointer<CChar>! {
  listener(s)?.core.name.pointer ?? StaticSite("").pointer
}

@_cdecl("belay_listener_port")
@implementation
public func belay_listener_port(_ s: OpaquePointer!) -> Int32 {
  guard let listener = listener(s) else { return fail(.missing) }
  return listener.port.map { Int32($0) } ?? -1
}
