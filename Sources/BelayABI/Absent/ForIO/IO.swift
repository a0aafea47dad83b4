@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay
import CBelayShim

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

// MARK: Socket

@_cdecl("belay_tcp_connect")
@implementation
public func belay_tcp_connect(
  _ l: OpaquePointer!, _ host: UnsafePointer<CChar>!, _ port: UInt16,
  _ options: UnsafePointer<belay_stream_options>!
) -> OpaquePointer! { absent() }

@_cdecl("belay_unix_connect")
@implementation
public func belay_unix_connect(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!,
  _ options: UnsafePointer<belay_stream_options>!
) -> OpaquePointer! { absent() }

@_cdecl("belay_tcp_listen")
@implementation
public func belay_tcp_listen(
  _ l: OpaquePointer!, _ host: UnsafePointer<CChar>!, _ port: UInt16,
  _ options: UnsafePointer<belay_stream_options>!
) -> OpaquePointer! { absent() }

@_cdecl("belay_unix_listen")
@implementation
public func belay_unix_listen(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!,
  _ options: UnsafePointer<belay_stream_options>!
) -> OpaquePointer! { absent() }

@_cdecl("belay_listener_retain")
@implementation
public func belay_listener_retain(_ s: OpaquePointer!) -> OpaquePointer! { nil }

@_cdecl("belay_listener_release")
@implementation
public func belay_listener_release(_ s: OpaquePointer!) {}

@_cdecl("belay_listener_connections")
@implementation
public func belay_listener_connections(_ s: OpaquePointer!) -> OpaquePointer! { failed(.missing) }

@_cdecl("belay_listener_close")
@implementation
public func belay_listener_close(_ s: OpaquePointer!) -> Int32 { fail(.missing) }

@_cdecl("belay_listener_create_disposable")
@implementation
public func belay_listener_create_disposable(_ s: OpaquePointer!) -> OpaquePointer! {
  failed(.missing)
}

@_cdecl("belay_listener_address")
@implementation
public func belay_listener_address(_ s: OpaquePointer!) -> UnsafePointer<CChar>! {
  StaticSite("").pointer
}

@_cdecl("belay_listener_port")
@implementation
public func belay_listener_port(_ s: OpaquePointer!) -> Int32 { fail(.missing) }

// MARK: Stream

@_cdecl("belay_stream_open")
@implementation
public func belay_stream_open(
  _ l: OpaquePointer!, _ fd: Int32, _ options: UnsafePointer<belay_stream_options>!
) -> OpaquePointer! {
  if l != nil {
    // The failure tells that the descriptor stays the caller's.
    guard let core = here(l) else { return nil }
    if core.has(fd) { return absent() }
  }
  // The standard three are never closed.
  if fd > 2 { belay_shim_close(fd) }
  return absent()
}

@_cdecl("belay_stream_open_path")
@implementation
public func belay_stream_open_path(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ flags: UInt32,
  _ options: UnsafePointer<belay_stream_options>!
) -> OpaquePointer! { absent() }

@_cdecl("belay_stream_retain")
@implementation
public func belay_stream_retain(_ s: OpaquePointer!) -> OpaquePointer! { nil }

@_cdecl("belay_stream_release")
@implementation
public func belay_stream_release(_ s: OpaquePointer!) {}

@_cdecl("belay_stream_read")
@implementation
public func belay_stream_read(_ s: OpaquePointer!) -> OpaquePointer! { failed(.missing) }

@_cdecl("belay_stream_write")
@implementation
public func belay_stream_write(_ s: OpaquePointer!, _ value: belay_value) -> Int32 {
  discard(foreign(value))
  return fail(.missing)
}

@_cdecl("belay_stream_write_all")
@implementation
public func belay_stream_write_all(_ s: OpaquePointer!, _ source: OpaquePointer!) -> OpaquePointer!
{
  release(source)
  return failed(.missing)
}

@_cdecl("belay_stream_drained")
@implementation
public func belay_stream_drained(_ s: OpaquePointer!, _ limit: Int) -> OpaquePointer! {
  failed(.missing)
}

@_cdecl("belay_stream_shutdown")
@implementation
public func belay_stream_shutdown(_ s: OpaquePointer!) -> Int32 { fail(.missing) }

@_cdecl("belay_stream_close")
@implementation
public func belay_stream_close(_ s: OpaquePointer!) -> Int32 { fail(.missing) }

@_cdecl("belay_stream_create_disposable")
@implementation
public func belay_stream_create_disposable(_ s: OpaquePointer!) -> OpaquePointer! {
  failed(.missing)
}

@_cdecl("belay_stream_waiting")
@implementation
public func belay_stream_waiting(_ s: OpaquePointer!) -> Int { 0 }

@_cdecl("belay_stream_held")
@implementation
public func belay_stream_held(_ s: OpaquePointer!) -> Int { 0 }

@_cdecl("belay_stream_local_address")
@implementation
public func belay_stream_local_address(_ s: OpaquePointer!) -> UnsafePointer<CChar>! {
  StaticSite("").pointer
}

@_cdecl("belay_stream_peer_address")
@implementation
public func belay_stream_peer_address(_ s: OpaquePointer!) -> UnsafePointer<CChar>! {
  StaticSite("").pointer
}

@_cdecl("belay_stream_set_raw")
@implementation
public func belay_stream_set_raw(_ s: OpaquePointer!, _ raw: Int32) -> Int32 { fail(.missing) }

@_cdecl("belay_stream_window_size")
@implementation
public func belay_stream_window_size(
  _ s: OpaquePointer!, _ columns: UnsafeMutablePointer<Int32>!, _ rows: UnsafeMutablePointer<Int32>!
) -> Int32 { fail(.missing) }

@_cdecl("belay_stream_window_sizes")
@implementation
public func belay_stream_window_sizes(_ s: OpaquePointer!) -> OpaquePointer! { absent() }

// MARK: TransformingFrames

@_cdecl("belay_op_lines")
@implementation
public func belay_op_lines(_ limit: Int) -> OpaquePointer! { absent() }

@_cdecl("belay_op_frames_delimited")
@implementation
public func belay_op_frames_delimited(
  _ delimiter: UnsafeRawPointer!, _ size: Int, _ limit: Int
) -> OpaquePointer! { absent() }

@_cdecl("belay_op_frames_fixed")
@implementation
public func belay_op_frames_fixed(_ size: Int) -> OpaquePointer! { absent() }

@_cdecl("belay_op_frames_prefixed")
@implementation
public func belay_op_frames_prefixed(
  _ width: UInt32, _ limit: Int, _ little_endian: Int32
) -> OpaquePointer! { absent() }

@_cdecl("belay_op_utf8")
@implementation
public func belay_op_utf8() -> OpaquePointer! { absent() }
// MARK: Watch

@_cdecl("belay_ticks")
@implementation
public func belay_ticks(
  _ l: OpaquePointer!, _ place: belay_tick
) -> OpaquePointer! { absent() }

@_cdecl("belay_poll")
@implementation
public func belay_poll(
  _ l: OpaquePointer!, _ fd: Int32, _ events: UInt32
) -> OpaquePointer! { absent() }

@_cdecl("belay_wall_timer")
@implementation
public func belay_wall_timer(_ l: OpaquePointer!, _ date: Double) -> OpaquePointer! { absent() }

@_cdecl("belay_file_events")
@implementation
public func belay_file_events(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!
) -> OpaquePointer! { absent() }

@_cdecl("belay_file_poll")
@implementation
public func belay_file_poll(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ seconds: Double
) -> OpaquePointer! { absent() }

@_cdecl("belay_tree_events")
@implementation
public func belay_tree_events(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!
) -> OpaquePointer! { absent() }

// MARK: File

@_cdecl("belay_work")
@implementation
public func belay_work(
  _ l: OpaquePointer!, _ work: belay_produce_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  Context.free(ctx, ctx_free)
  return absent()
}

@_cdecl("belay_file_read")
@implementation
public func belay_file_read(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!
) -> OpaquePointer! { absent() }

@_cdecl("belay_file_chunks")
@implementation
public func belay_file_chunks(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ flags: UInt32
) -> OpaquePointer! { absent() }

@_cdecl("belay_file_write")
@implementation
public func belay_file_write(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ content: belay_value
) -> OpaquePointer! {
  discard(foreign(content))
  return absent()
}

@_cdecl("belay_directory_list")
@implementation
public func belay_directory_list(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!
) -> OpaquePointer! { absent() }

// MARK: Lookup

@_cdecl("belay_lookup")
@implementation
public func belay_lookup(
  _ l: OpaquePointer!, _ host: UnsafePointer<CChar>!, _ service: UnsafePointer<CChar>!
) -> OpaquePointer! { absent() }

@_cdecl("belay_host_name")
@implementation
public func belay_host_name(
  _ l: OpaquePointer!, _ address: UnsafePointer<CChar>!
) -> OpaquePointer! { absent() }

// MARK: Process

@_cdecl("belay_process")
@implementation
public func belay_process(
  _ l: OpaquePointer!, _ options: UnsafePointer<belay_process_options>!
) -> OpaquePointer! { absent() }

// MARK: UDP

@_cdecl("belay_udp")
@implementation
public func belay_udp(
  _ l: OpaquePointer!, _ outgoing: OpaquePointer!, _ options: UnsafePointer<belay_udp_options>!
) -> OpaquePointer! { absent() }
