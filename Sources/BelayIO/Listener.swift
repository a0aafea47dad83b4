@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// A socket that listens at an address from when it is made until its last reference goes.
///
/// Connections wait in the system's queue while nobody subscribes to `connections`.
public final class Listener: Entity, @unchecked Sendable {
  // As in `Stream`. A common superclass would be a public name without a use.
  package let core: ListenerCore

  package init(_ core: ListenerCore) {
    self.core = core
    super.init()
    Live.disposables.began()
  }

  deinit {
    core.terminate()
    Live.disposables.ended()
  }

  /// Stops listening. A subscription to `connections` is interrupted. Any thread may call this.
  public func close() { core.terminate() }

  /// A disposable that closes the listener.
  public func asDisposable() -> Disposable { AnonymousDisposable { [core] in core.terminate() } }

  /// The address: "127.0.0.1:80", "[::]:80", the path of a Unix socket.
  public var address: Text { core.name.text }
  /// The port; nil for a Unix socket.
  public var port: UInt16? { UInt16(exactly: belay_shim_address_port(&core.address)) }

  #if !hasFeature(Embedded)
    /// Sends a stream for each connection.
    ///
    /// There is one subscription at a time: another one fails with `.busy`. When there is no room
    /// for another descriptor, that is told to the hook of unhandled errors, and accepting goes on
    /// when there may be.
    public var connections: Signal<Stream> { connections { $0 } }
  #endif

  /// `convert` makes the values; the signal takes over their references.
  package func connections<Value>(convert: @escaping (Stream) -> Value) -> Signal<Value> {
    core.loop.source("connections") { [self] subscriber in
      Acceptor(
        self, send: { subscriber.next(giving: convert($0)) }, fail: { subscriber.error($0) }
      )
    }
  }
}

#if !hasFeature(Embedded)
  extension Loop {
    /// Listens for TCP connections. Call it on the loop's thread.
    ///
    /// - Parameters:
    ///   - host: an address, and no name; nil for every address of this machine.
    ///   - port: 0 for one that the system chooses; see `Listener.port`.
    ///   - options: of the streams that connect.
    /// - Throws: the system's error; `.invalid` for a host that is no address; `.closed`;
    ///   `.wrongThread` on another thread than the loop's.
    public func listenTCP(
      at host: String? = nil, port: UInt16 = 0, _ options: StreamOptions = StreamOptions()
    ) throws(Failure) -> Listener {
      try listenTCP(try host?.cText(), port, options)
    }

    /// Listens at a Unix socket, whose file the listener makes and removes. A file that nobody
    /// listens at is replaced. Call it on the loop's thread.
    ///
    /// - Throws: like `listenTCP`.
    public func listenUnix(
      at path: String, _ options: StreamOptions = StreamOptions()
    ) throws(Failure) -> Listener {
      try listenUnix(try path.cText(), options)
    }
  }
#endif

extension Loop {
  package func listenTCP(
    _ host: CText?, _ port: UInt16, _ options: StreamOptions
  ) throws(Failure) -> Listener {
    let core = try here()
    let name = Endpoint.tcp(host ?? CText("*"), port).name
    let asked = host ?? CText("::")
    guard var address = belay_shim_address.numeric(asked.pointer, port) else {
      throw .uv(UV_EINVAL.rawValue, name.text + " is no address")
    }
    let flags =
      (options.reusesPort ? BELAY_SHIM_REUSE_PORT : 0)
      | (options.isIPv6Only ? BELAY_SHIM_IPV6_ONLY : 0)
    // Where there is no IPv6, every address is every one of IPv4.
    var fd = belay_shim_listen(&address, options.backlog, flags)
    if fd == UV_EAFNOSUPPORT.rawValue, host == nil,
      let four = belay_shim_address.numeric(CText("0.0.0.0").pointer, port)
    {
      address = four
      fd = belay_shim_listen(&address, options.backlog, flags)
    }
    return try core.listener(fd, name, nil, options)
  }

  package func listenUnix(_ path: CText, _ options: StreamOptions) throws(Failure) -> Listener {
    let core = try here()
    var address = belay_shim_address()
    let code = belay_shim_unix_address(&address, path.pointer)
    if code < 0 { throw .uv(code, path.text) }
    var fd = belay_shim_listen(&address, options.backlog, 0)
    if fd == UV_EADDRINUSE.rawValue && belay_shim_is_stale(&address) != 0 {
      var identity = (UInt64(0), UInt64(0))
      withUnsafeMutableBytes(of: &identity) {
        let words = $0.assumingMemoryBound(to: UInt64.self).baseAddress
        belay_shim_identify(path.pointer, words)
        belay_shim_remove(path.pointer, words)
      }
      fd = belay_shim_listen(&address, options.backlog, 0)
    }
    return try core.listener(fd, path, path, options)
  }
}

extension LoopCore {
  fileprivate func listener(
    _ fd: Int32, _ name: CText, _ path: CText?, _ options: StreamOptions
  ) throws(Failure) -> Listener {
    if fd < 0 { throw .uv(fd, name.text) }
    return Listener(
      ListenerCore(try Descriptor(self, fd, BELAY_SHIM_SOCKET, name), path, options))
  }
}

/// The object of a listener at its loop.
package final class ListenerCore: Resource, @unchecked Sendable {
  let loop: LoopCore
  let descriptor: Descriptor
  let options: StreamOptions
  fileprivate(set) var address = belay_shim_address()
  package private(set) var name = CText("")
  /// The file of a Unix socket, and its identity.
  private let path: CText?
  private var identity = (UInt64(0), UInt64(0))
  fileprivate var acceptor: Acceptor?
  fileprivate private(set) var isOpen = true

  fileprivate init(
    _ descriptor: Descriptor, _ path: CText?, _ options: StreamOptions
  ) {
    self.descriptor = descriptor
    self.path = path
    self.options = options
    loop = descriptor.core
    belay_shim_own_address(descriptor.fd, &address)
    name = address.name
    super.init()
    withIdentity { belay_shim_identify($0, $1) }
    loop.list(self)
  }

  private func withIdentity(
    _ body: (UnsafePointer<CChar>, UnsafeMutablePointer<UInt64>?) -> Void
  ) {
    guard let path else { return }
    withUnsafeMutableBytes(of: &identity) {
      body(path.pointer, $0.assumingMemoryBound(to: UInt64.self).baseAddress)
    }
  }

  package override var kind: StaticString? { "listener" }
  package override var origin: Origin { options.origin.or(acceptor?.origin ?? Origin()) }
  package override func terminate() { loop.perform { [self] in closeHere() } }

  private func closeHere() {
    if !isOpen { return }
    isOpen = false
    if isListed { loop.unlist(self) }
    // Before the descriptor, so that nobody connects to a file without a listener.
    withIdentity { belay_shim_remove($0, $1) }
    descriptor.close()
    acceptor?.stop()
  }
}

/// Accepts connections for one subscription.
private final class Acceptor: NamedSource, DescriptorUser, @unchecked Sendable {
  /// How many are accepted before other sources have their turn.
  private static var most: Int { 16 }

  private let listener: Listener
  private var send: ((Stream) -> Code)?
  private var fail: ((Failure) -> Void)?
  private var isAccepting = false
  private var isSending = false
  /// While there is no room for another descriptor.
  private var pause: Disposable?
  private var isShort = false

  init(
    _ listener: Listener, send: @escaping (Stream) -> Code, fail: @escaping (Failure) -> Void
  ) {
    self.listener = listener
    self.send = send
    self.fail = fail
    super.init(listener.core.loop)
  }

  override func begin() {
    let core = listener.core
    if !core.isOpen { return stop() }
    if core.acceptor != nil {
      fail?(Failure(.busy, message: core.name.text + " has a subscriber"))
      return
    }
    isAccepting = true
    core.acceptor = self
    core.descriptor.wait(for: UV_READABLE, as: self)
  }

  func came(_: Int32) {
    let listener = listener.core
    // A turn inside of what is sent. The subscriber may leave before it gets more, which then is another
    // one's.
    if isSending { return listener.descriptor.wait(for: UV_READABLE, false) }
    for _ in 0..<Self.most {
      if send == nil { return }
      var peer = belay_shim_address()
      let fd = belay_shim_accept(listener.descriptor.fd, &peer)
      if fd == Int32(Code.again.rawValue) { return }
      if fd < 0 { return wait(Code(rawValue: fd)) }
      isShort = false
      do throws(Failure) {
        let descriptor = try Descriptor(core, fd, BELAY_SHIM_SOCKET)
        var name = peer.name
        // Clients of a Unix socket usually have no address.
        if name.pointer[0] == 0 { name = listener.name }
        let stream = Stream(StreamCore(descriptor, name, listener.options))
        isSending = true
        let code = send?(stream) ?? .ok
        isSending = false
        if code.isFailure {
          fail?(.uv(code.rawValue, listener.name.text))
          return stop()
        }
        if isAccepting { listener.descriptor.wait(for: UV_READABLE) }
      } catch {
        return wait(error.code)
      }
    }
  }

  /// Waits until there may be room. The connections wait in the system's queue.
  private func wait(_ code: Code) {
    let listener = listener.core
    listener.descriptor.wait(for: UV_READABLE, false)
    if !isShort {
      isShort = true
      UnhandledErrorHook.report(
        .uv(code.rawValue, listener.name.text), signal: "connections", site: nil, home: core)
    }
    if send == nil { return }
    let work = ClosureWork(origin) { [unowned(unsafe) self] in
      pause = nil
      listener.descriptor.wait(for: UV_READABLE)
    }
    _ = core.scheduler.submit(work, after: 100_000_000)
    pause = work
  }

  override func end() {
    if isAccepting {
      listener.core.descriptor.user = nil
      listener.core.descriptor.wait(for: UV_READABLE, false)
      listener.core.acceptor = nil
    }
    isAccepting = false
    pause?.dispose()
    pause = nil
    send = nil
    fail = nil
  }
}
