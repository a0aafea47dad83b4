@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

extension Loop {
  /// Makes a stream of a descriptor: a socket, a pipe or a terminal. Call it on the loop's thread.
  ///
  /// It takes the descriptor over, also when it throws, and closes it with the stream; 0, 1 and 2
  /// are never closed. A descriptor that this loop has already (libuv's EEXIST) is left as it is:
  /// that of a stream or a poll, and the loop's own. With `.wrongThread` and `Code.closed` nobody
  /// can know what the loop has: the descriptor stays open, and is the caller's.
  ///
  /// - Throws: the system's error; `.notPermitted` for a file on a disk and `/dev/null`, as after
  ///   `prog <file`, where `fileLines("/dev/stdin")` reads what is at 0; `Code.closed`;
  ///   `.wrongThread` on another thread than the loop's.
  public func openStream(
    _ fd: Int32, _ options: StreamOptions = StreamOptions()
  ) throws(Failure) -> Stream {
    try here().openStream(fd, CText("descriptor \(fd)"), options)
  }

  #if !hasFeature(Embedded)
    /// Opens a FIFO, a terminal or another device, without waiting. Call it on the loop's thread.
    ///
    /// - Throws: the system's error; `Code.closed`; `.wrongThread` on another thread than the loop's.
    public func openStream(
      at path: String, reads: Bool = true, writes: Bool = false,
      _ options: StreamOptions = StreamOptions()
    ) throws(Failure) -> Stream {
      try openStream(try path.cText(), reads: reads, writes: writes, options)
    }
  #endif

  package func openStream(
    _ path: CText, reads: Bool, writes: Bool, _ options: StreamOptions
  ) throws(Failure) -> Stream {
    let core = try here()
    let fd = belay_shim_open(path.pointer, reads ? 1 : 0, writes ? 1 : 0)
    if fd < 0 { throw .uv(fd, path.text) }
    return Stream(
      StreamCore(try Descriptor(core, fd, belay_shim_descriptor_kind(fd), path), path, options))
  }
}

extension Stream {
  /// Closes a descriptor that could not become a stream.
  package static func close(_ fd: Int32) { Descriptor.close(fd) }

  /// Whether this is the thread of its loop.
  package var isHere: Bool { core.loop.isCurrent }
}

extension LoopCore {
  /// Makes a stream of a descriptor. `name` is for messages. Called at the loop.
  func openStream(
    _ fd: Int32, _ name: CText, _ options: StreamOptions
  ) throws(Failure) -> Stream {
    if has(fd) { throw .uv(UV_EEXIST.rawValue, name.text) }
    let kind = belay_shim_descriptor_kind(fd)
    if kind < 0 { throw .uv(kind, name.text) }
    // The host shares the flags of these with others.
    let own = fd > 2 || kind == BELAY_SHIM_SOCKET ? fd : belay_shim_own_descriptor(fd)
    return Stream(StreamCore(try Descriptor(self, own, kind, name), name, options))
  }
}
