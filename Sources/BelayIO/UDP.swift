@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// How a UDP socket is made.
public struct UDPOptions: Sendable {
  /// The numeric address and the port that it has; nil: any, of IPv4. Port 0: any that is free.
  public var local: SocketAddress?
  /// The address that it sends to and hears alone; nil: each datagram has its own.
  public var remote: SocketAddress?
  /// Whether other sockets may have the same address and port.
  public var sharesAddress = false
  /// Whether it may send to broadcast addresses.
  public var broadcasts = false
  /// The multicast groups that it joins, and leaves at its end.
  public var groups: [Text] = []
  /// The numeric address of the interface for multicast; nil: the system decides.
  public var interface: Text?
  /// How many routers a multicast datagram may pass, with the network's own; 0: it stays on this
  /// machine; nil: 1.
  public var multicastHops: UInt8?
  /// Whether this machine gets the socket's own multicast datagrams.
  public var loopsBack = true

  /// A socket at a free port of IPv4.
  public init() {}
}

/// A datagram that is to be sent.
public struct Datagram: Equatable, Sendable {
  /// The bytes to send.
  public var bytes: [UInt8]
  /// Where it goes; nil: to `UDPOptions.remote`.
  public var to: SocketAddress?

  /// - Parameters:
  ///   - bytes: what is sent.
  ///   - to: where it goes.
  public init(_ bytes: [UInt8], to: SocketAddress? = nil) {
    self.bytes = bytes
    self.to = to
  }
}

/// The events of a UDP socket.
public enum UDPEvent: Sendable {
  /// It has this address.
  case bound(SocketAddress)
  /// A datagram came.
  case received([UInt8], from: SocketAddress)
  /// A datagram was not sent, or its receiver has refused it.
  case refused(Failure, to: SocketAddress?)
}

extension Loop {
  /// Opens a UDP socket for each subscription. Sends its address, then what it receives. A datagram
  /// that `outgoing` sends at its subscription may be refused before that.
  ///
  /// It sends the datagrams of `outgoing`, an error of which is the signal's. One that cannot be
  /// sent comes back as `refused`, and the socket goes on; so does one for which the system has no
  /// room, with the system's code EAGAIN.
  public func udp(
    _ options: UDPOptions = UDPOptions(), sending outgoing: Signal<Datagram> = .never()
  ) -> Signal<UDPEvent> {
    .trying { () throws(Failure) in
      core.udp(
        try UDPPlan(options),
        { socket in
          socket.sends(outgoing) { datagram in
            datagram.bytes.withUnsafeBytes { socket.send($0, to: datagram.to) }
          }
        },
        convert: {
          switch $0 {
          case .bound(let address): .bound(address)
          case .received(let bytes, let address): .received(Array(bytes), from: address)
          case .refused(let failure, let address): .refused(failure, to: address)
          }
        })
    }
  }
}

/// The options, as libuv takes them.
package final class UDPPlan {
  package var local = (host: CText("0.0.0.0"), port: UInt16(0))
  package var remote: (host: CText, port: UInt16)?
  package var sharesAddress = false
  package var broadcasts = false
  package var groups: ReferenceArray<CText> = []
  package var interface: CText?
  package var multicastHops: UInt8?
  package var loopsBack = true

  package init() {}

  convenience init(_ options: UDPOptions) throws(Failure) {
    self.init()
    if let local = options.local { self.local = (try local.host.cText(), local.port) }
    if let remote = options.remote { self.remote = (try remote.host.cText(), remote.port) }
    sharesAddress = options.sharesAddress
    broadcasts = options.broadcasts
    groups = try options.groups.cTexts()
    interface = try options.interface?.cText()
    multicastHops = options.multicastHops
    loopsBack = options.loopsBack
  }
}

/// The same events with the bytes in the buffer.
package enum RawUDPEvent {
  case bound(SocketAddress)
  case received(UnsafeRawBufferPointer, SocketAddress)
  case refused(Failure, SocketAddress?)
}

extension LoopCore {
  /// `convert` makes the values; the signal takes over their references. `sending` subscribes to
  /// what is to be sent.
  package func udp<Value>(
    _ plan: UDPPlan, _ sending: @escaping (UDPSocket) -> Disposable?,
    convert: @escaping (RawUDPEvent) -> Value
  ) -> Signal<Value> {
    source("udp") { [self] subscriber in
      UDPSource(self, plan, sending, Events(subscriber, convert)) { !subscriber.isDisposed }
    }
  }
}

/// The socket to which the subscription to outgoing datagrams sends.
package struct UDPSocket {
  // The source ends the subscription first.
  fileprivate unowned(unsafe) let source: UDPSource

  package func send(_ bytes: UnsafeRawBufferPointer, to: SocketAddress?) {
    source.send(bytes, to: to)
  }

  package func refuse(_ failure: Failure) { source.refuse(failure, nil) }

  package func fail(_ failure: Failure) { source.fail(failure) }

  /// Subscribes to what is to be sent, at the loop. An error of it is the source's.
  package func sends<Value>(
    _ outgoing: Signal<Value>, by send: @escaping (Value) -> Void
  ) -> Disposable? {
    // A datagram that is sent at once may end the source before it has this subscription.
    let wanted = outgoing.takeWhile { [source] _ in source.isOpen }
    let (subscription, code) = wanted.subscribeHere(next: send, error: { fail($0) })
    if code.isFailure { fail(Failure(code)) }
    return subscription
  }
}

private final class UDPSource: HandleSource, @unchecked Sendable {
  private let plan: UDPPlan
  private let sending: (UDPSocket) -> Disposable?
  private var events: Events<RawUDPEvent>?
  /// Whether the subscription goes on. Its end may not have come here yet.
  private var isWanted: (() -> Bool)?
  private var outgoing: Disposable?
  /// The only address from which datagrams are taken. Datagrams that others have sent before the
  /// socket had it are in the system's queue.
  private var peer: SocketAddress?
  /// Whether an event is being sent. A turn inside of that leaves datagrams in the system's queue.
  private var isSending = false
  private var isPaused = false
  /// No datagram is longer.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

  init(
    _ core: LoopCore, _ plan: UDPPlan, _ sending: @escaping (UDPSocket) -> Disposable?,
    _ events: Events<RawUDPEvent>, isWanted: @escaping () -> Bool
  ) {
    self.isWanted = isWanted
    self.plan = plan
    self.sending = sending
    self.events = events
    super.init(core)
  }

  deinit { buffer.deallocate() }

  fileprivate var isOpen: Bool { isWanted?() ?? false }

  private var socket: UnsafeMutablePointer<uv_udp_t>? {
    room?.assumingMemoryBound(to: uv_udp_t.self)
  }

  // MARK: Opening

  override func begin() {
    var place: Text = ""
    let code = open(
      { uv_udp_init(core.uv, $0.assumingMemoryBound(to: uv_udp_t.self)) },
      { set($0.assumingMemoryBound(to: uv_udp_t.self), &place) })
    if code < 0 {
      events?.failed(.uv(code, place))
      return
    }
    peer = address(by: belay_shim_peer_address)
    let outgoing = sending(UDPSocket(source: self))
    // A datagram that is sent at once may have ended this.
    if !isOpen { return leave(outgoing) }
    self.outgoing = outgoing
    if let own = address(by: belay_shim_own_address) { tell(.bound(own)) }
  }

  /// Binds and sets the socket, and starts it. On failure `place` says what has failed.
  private func set(_ socket: UnsafeMutablePointer<uv_udp_t>, _ place: inout Text) -> Int32 {
    place = "udp \(plan.local.host.text) port \(plan.local.port)"
    let flags = plan.sharesAddress ? UV_UDP_REUSEADDR.rawValue : 0
    var code = withSocketAddress(plan.local.host, port: plan.local.port) {
      uv_udp_bind(socket, $0, flags)
    }
    if code == 0 && plan.broadcasts { code = uv_udp_set_broadcast(socket, 1) }
    if code == 0, let hops = plan.multicastHops {
      code = uv_udp_set_multicast_ttl(socket, Int32(hops))
    }
    if code == 0 && !plan.loopsBack { code = uv_udp_set_multicast_loop(socket, 0) }
    if code == 0, let interface = plan.interface {
      code = withSocketAddress(interface, port: 0) { _ in
        uv_udp_set_multicast_interface(socket, interface.pointer)
      }
    }
    if code != 0 { return code }
    for group in plan.groups {
      place = "udp multicast group " + group.text
      code = uv_udp_set_membership(socket, group.pointer, plan.interface?.pointer, UV_JOIN_GROUP)
      if code != 0 { return code }
    }
    if let remote = plan.remote {
      place = "udp \(remote.host.text) port \(remote.port)"
      code = withSocketAddress(remote.host, port: remote.port) { uv_udp_connect(socket, $0) }
      if code != 0 { return code }
    }
    return receive(by: socket)
  }

  private func receive(by socket: UnsafeMutablePointer<uv_udp_t>) -> Int32 {
    uv_udp_recv_start(
      socket,
      { handle, _, buffer in
        guard let source = HandleSource.of(handle) as? UDPSource else { return }
        // Where there is no room, libuv calls back without reading.
        let room = source.buffer[..<(source.isSending ? 0 : source.buffer.count)]
        buffer?.pointee = uv_buf_t(UnsafeRawBufferPointer(rebasing: room))
      },
      { handle, count, _, address, _ in
        guard let source = HandleSource.of(handle) as? UDPSource else { return }
        source.core.dispatch { _ in source.received(count, address) }
      })
  }

  private func address(
    by read: (Int32, UnsafeMutablePointer<belay_shim_address>?) -> Int32
  ) -> SocketAddress? {
    guard let socket else { return nil }
    var fd: Int32 = -1
    LoopCore.withHandle(socket) { _ = uv_fileno($0, &fd) }
    return withUnsafeTemporaryAllocation(of: belay_shim_address.self, capacity: 1) {
      let address = $0.baseAddress.unsafelyUnwrapped
      if read(fd, address) != 0 { return nil }
      return withUnsafeBytes(of: &address.pointee.storage) {
        SocketAddress($0.baseAddress?.assumingMemoryBound(to: sockaddr.self))
      }
    }
  }

  private var remoteAddress: SocketAddress? {
    plan.remote.map { SocketAddress(host: $0.host.text, port: $0.port) }
  }

  // MARK: Datagrams

  private func received(_ count: Int, _ address: UnsafePointer<sockaddr>?) {
    if isSending {
      uv_udp_recv_stop(socket)
      isPaused = true
    } else if count < 0 {
      refuse(.uv(Int32(count), place(of: remoteAddress)), remoteAddress)
    } else if let address = SocketAddress(address), peer == nil || peer == address {
      tell(.received(UnsafeRawBufferPointer(rebasing: buffer[..<count]), address))
    }
  }

  private func tell(_ event: RawUDPEvent) {
    let wasSending = isSending
    isSending = true
    events?.send(event)
    isSending = wasSending
    if wasSending || !isPaused { return }
    isPaused = false
    if let socket { _ = receive(by: socket) }
  }

  func send(_ bytes: UnsafeRawBufferPointer, to: SocketAddress?) {
    guard let socket else { return }
    var data = uv_buf_t(bytes)
    let address = to ?? remoteAddress
    // The system tells first that an earlier datagram was refused, and does not send this one then.
    for _ in 0..<2 {
      let code =
        if let to, to.host.utf8.contains(0) {
          UV_EINVAL.rawValue
        } else if let to {
          withSocketAddress(CText(to.host), port: to.port) {
            uv_udp_try_send(socket, &data, 1, $0)
          }
        } else {
          uv_udp_try_send(socket, &data, 1, nil)
        }
      if code >= 0 { return }
      refuse(.uv(code, place(of: address)), address)
      if code != UV_ECONNREFUSED.rawValue || !isOpen { return }
    }
  }

  private func place(of address: SocketAddress?) -> Text {
    address.map { "udp \($0.host) port \($0.port)" } ?? "udp"
  }

  func refuse(_ failure: Failure, _ address: SocketAddress?) {
    tell(.refused(failure, address))
  }

  func fail(_ failure: Failure) { events?.failed(failure) }

  override func end() {
    super.end()
    (events, isWanted) = (nil, nil)
    leave(outgoing)
    outgoing = nil
  }
}
