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
  _ l: OpaquePointer!, _ options: UnsafePointer<belay_udp_options>!, _ outgoing: OpaquePointer!
) -> OpaquePointer! { absent() }
