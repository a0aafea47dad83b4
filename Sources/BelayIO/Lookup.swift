@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CLibuv

/// The address of a socket: a numeric host, with its zone if it has one, and a port.
public struct SocketAddress: Equatable, Sendable {
  /// A numeric address of IPv4 or IPv6.
  public var host: Text
  /// The port, in the order of this machine.
  public var port: UInt16

  /// An address of a numeric host.
  public init(host: Text, port: UInt16) {
    self.host = host
    self.port = port
  }
}

extension Loop {
  /// Sends the addresses of a host, in the order of the system's preference, then completes.
  ///
  /// A thread of libuv's pool asks the system. A disposal before that prevents it.
  ///
  /// - Parameters:
  ///   - host: a name or a numeric address.
  ///   - service: a name or a number; without it, the port is 0.
  public func lookup(_ host: Text, service: Text? = nil) -> Signal<SocketAddress> {
    core.lookup(CText(host), service.map { CText($0) }) { $0 }
  }

  /// Sends the name of the host that has a numeric address, then completes. Fails if it has none.
  public func hostName(of address: Text) -> Signal<Text> {
    core.hostName(CText(address)) { Text(cString: $0) }
  }
}

extension LoopCore {
  /// `convert` makes the values; the signal takes over their references.
  package func lookup<Value>(
    _ host: CText, _ service: CText?, convert: @escaping (SocketAddress) -> Value
  ) -> Signal<Value> {
    .create(SourceOptions(label: "lookup")) { [self] subscriber in
      LookupSource(self, host, service, Events(subscriber, convert)).run()
    }
  }

  /// The same for the name.
  package func hostName<Value>(
    _ address: CText, convert: @escaping (UnsafePointer<CChar>) -> Value
  ) -> Signal<Value> {
    .create(SourceOptions(label: "host_name")) { [self] subscriber in
      NameSource(self, address, Events(subscriber, convert)).run()
    }
  }
}

/// A source with one request of libuv's, which keeps it until it has come back.
@_spi(Engine) open class RequestSource: SourceAtLoop, @unchecked Sendable {
  final let request: UnsafeMutableRawPointer
  private final var isOpen = false

  package init(_ core: LoopCore, _ type: uv_req_type) {
    request = .allocate(byteCount: uv_req_size(type), alignment: 16)
    super.init(core)
  }

  deinit { request.deallocate() }

  private final var base: UnsafeMutablePointer<uv_req_t> {
    request.assumingMemoryBound(to: uv_req_t.self)
  }

  /// Called at the loop when the request has come back, also after the end.
  func finish(_ code: Int32) {}

  final func submit(_ begin: () -> Int32) {
    base.pointee.data = Unmanaged.passRetained(self).toOpaque()
    isOpen = true
    core.requestBegan()
    let code = begin()
    if code == 0 { return core.noteNewWatcher() }
    Unmanaged.passUnretained(self).release()
    isOpen = false
    core.requestEnded()
    finish(code)
  }

  static func cameBack(_ request: UnsafeMutableRawPointer?, _ code: Int32) {
    let data = request.unsafelyUnwrapped.assumingMemoryBound(to: uv_req_t.self).pointee.data
    let source = Unmanaged<RequestSource>.fromOpaque(data.unsafelyUnwrapped).takeRetainedValue()
    source.isOpen = false
    source.core.dispatch { _ in source.finish(code) }
    source.core.requestEnded()
  }

  open override func end() { if isOpen { LoopCore.cancel(base) } }
}

private final class LookupSource: RequestSource, @unchecked Sendable {
  private let host: CText
  private let service: CText?
  private var events: Events<SocketAddress>?

  init(_ core: LoopCore, _ host: CText, _ service: CText?, _ events: Events<SocketAddress>) {
    self.host = host
    self.service = service
    self.events = events
    super.init(core, UV_GETADDRINFO)
  }

  private var lookup: UnsafeMutablePointer<uv_getaddrinfo_t> {
    request.assumingMemoryBound(to: uv_getaddrinfo_t.self)
  }

  override func begin() {
    lookup.pointee.addrinfo = nil
    var hints = addrinfo()
    // One kind of socket, so that each address comes once.
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    submit {
      uv_getaddrinfo(
        core.uv, lookup, { request, code, _ in RequestSource.cameBack(request, code) },
        host.pointer, service?.pointer, &hints)
    }
  }

  override func finish(_ code: Int32) {
    let first = lookup.pointee.addrinfo
    if code != 0 {
      events?.failed(.uv(code, host.text))
    } else {
      Batch.begin()
      var next = first
      while let found = next {
        if let address = SocketAddress(found.pointee.ai_addr) { events?.send(address) }
        next = found.pointee.ai_next
      }
      Batch.end()
      events?.completed()
    }
    uv_freeaddrinfo(first)
  }

  override func end() {
    super.end()
    events = nil
  }
}

private final class NameSource: RequestSource, @unchecked Sendable {
  private let address: CText
  private var events: Events<UnsafePointer<CChar>>?

  init(_ core: LoopCore, _ address: CText, _ events: Events<UnsafePointer<CChar>>) {
    self.address = address
    self.events = events
    super.init(core, UV_GETNAMEINFO)
  }

  private var lookup: UnsafeMutablePointer<uv_getnameinfo_t> {
    request.assumingMemoryBound(to: uv_getnameinfo_t.self)
  }

  override func begin() {
    submit {
      withSocketAddress(address, port: 0) {
        uv_getnameinfo(
          core.uv, lookup, { request, code, _, _ in RequestSource.cameBack(request, code) }, $0,
          NI_NAMEREQD)
      }
    }
  }

  override func finish(_ code: Int32) {
    if code != 0 {
      events?.failed(.uv(code, address.text))
    } else {
      withUnsafeBytes(of: &lookup.pointee.host) {
        events?.send($0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
      }
      events?.completed()
    }
  }

  override func end() {
    super.end()
    events = nil
  }
}

extension SocketAddress {
  /// The address as text; nil for another family than IPv4 and IPv6.
  init?(_ address: UnsafePointer<sockaddr>?) {
    guard let address else { return nil }
    let isV6 = Int32(address.pointee.sa_family) == AF_INET6
    guard isV6 || Int32(address.pointee.sa_family) == AF_INET else { return nil }
    let size = isV6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    // The port stands at the same place in both, in the order of the network.
    let bytes = UnsafeRawPointer(address)
    port =
      UInt16(bytes.load(fromByteOffset: 2, as: UInt8.self)) << 8
      | UInt16(bytes.load(fromByteOffset: 3, as: UInt8.self))
    host = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) {
      let text = $0.baseAddress.unsafelyUnwrapped
      text[0] = 0
      _ = getnameinfo(
        address, socklen_t(size), text, socklen_t($0.count), nil, 0, NI_NUMERICHOST)
      return Text(cString: text)
    }
  }
}

/// Calls `body` with a numeric address, or answers libuv's code for a text that is none.
func withSocketAddress(
  _ host: CText, port: UInt16, _ body: (UnsafePointer<sockaddr>) -> Int32
) -> Int32 {
  withUnsafeTemporaryAllocation(of: sockaddr_in6.self, capacity: 1) {
    let room = $0.baseAddress.unsafelyUnwrapped
    let raw = UnsafeMutableRawPointer(room)
    var code = uv_ip6_addr(host.pointer, Int32(port), room)
    if code != 0 {
      code = uv_ip4_addr(
        host.pointer, Int32(port), raw.assumingMemoryBound(to: sockaddr_in.self))
    }
    return code == 0 ? body(raw.assumingMemoryBound(to: sockaddr.self)) : code
  }
}
