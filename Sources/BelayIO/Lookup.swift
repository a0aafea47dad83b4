@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
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
  /// A thread that does nothing else asks the system. Neither a disposal nor the loop's close waits
  /// for the answer. A numeric address needs no thread, unless the service is a name.
  ///
  /// - Parameters:
  ///   - host: a name or a numeric address.
  ///   - service: a name or a number; without it, the port is 0.
  public func lookup(_ host: Text, service: Text? = nil) -> Signal<SocketAddress> {
    .trying { () throws(Failure) in
      core.lookup(try host.cText(), try service?.cText()) { $0 }
    }
  }

  /// Sends the name of the host that has a numeric address, then completes. Fails if it has none.
  public func hostName(of address: Text) -> Signal<Text> {
    .trying { () throws(Failure) in
      core.hostName(try address.cText()) { Text(cString: $0) }
    }
  }
}

extension LoopCore {
  /// `convert` makes the values; the signal takes over their references.
  package func lookup<Value>(
    _ host: CText, _ service: CText?, convert: @escaping (SocketAddress) -> Value
  ) -> Signal<Value> {
    source("lookup") { [self] subscriber in
      LookupSource(self, host, service, Events(subscriber, convert))
    }
  }

  /// The same for the name.
  package func hostName<Value>(
    _ address: CText, convert: @escaping (UnsafePointer<CChar>) -> Value
  ) -> Signal<Value> {
    source("host_name") { [self] subscriber in
      NameSource(self, address, Events(subscriber, convert))
    }
  }
}

/// A question about a host to the system, which may answer after minutes or never.
///
/// It is plain memory, so that its thread needs nothing else when the question has been given up.
struct HostQuestion {
  /// First, because the shim knows the question by it.
  var call = belay_blocking_call()
  let host: CText
  let service: CText?
  /// Whether the question is for a name, and `host` is an address.
  let wantsName: Bool
  var addresses: UnsafeMutablePointer<addrinfo>?
  var name: CText?

  typealias Pointer = UnsafeMutablePointer<HostQuestion>

  static func of(_ call: UnsafeMutablePointer<belay_blocking_call>?) -> Pointer {
    UnsafeMutableRawPointer(call.unsafelyUnwrapped).assumingMemoryBound(to: HostQuestion.self)
  }

  static func call(of question: Pointer) -> UnsafeMutablePointer<belay_blocking_call> {
    UnsafeMutableRawPointer(question).assumingMemoryBound(to: belay_blocking_call.self)
  }

  /// Asks, and waits for the answer. Without a callback, libuv uses the loop for nothing but to count
  /// its requests, so nobody else may use it meanwhile.
  static func ask(
    _ question: Pointer, _ loop: UnsafeMutablePointer<uv_loop_t>, flags: Int32 = 0
  ) -> Int32 {
    let host = question.pointee.host
    if question.pointee.wantsName {
      return withUnsafeTemporaryAllocation(of: uv_getnameinfo_t.self, capacity: 1) {
        let request = $0.baseAddress.unsafelyUnwrapped
        let code = withSocketAddress(host, port: 0) {
          uv_getnameinfo(loop, request, nil, $0, NI_NAMEREQD)
        }
        if code == 0 {
          question.pointee.name = withUnsafeBytes(of: &request.pointee.host) {
            CText(copying: $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
          }
        }
        return code
      }
    }
    var request = uv_getaddrinfo_t()
    var hints = addrinfo()
    // One kind of socket, so that each address comes once.
    hints.ai_socktype = 1  // SOCK_STREAM, which is an enum's case or a number by turns.
    hints.ai_flags = flags
    let service = question.pointee.service
    if let service, !isPossible(service) { return Int32(UV_EAI_SERVICE.rawValue) }
    let code = uv_getaddrinfo(loop, &request, nil, host.pointer, service?.pointer, &hints)
    question.pointee.addresses = request.addrinfo
    return code
  }

  /// False for the number of no port, which the system would shorten to that of another.
  private static func isPossible(_ service: CText) -> Bool {
    var number = 0
    var place = service.pointer
    // The system skips blanks and plus signs.
    while 9...13 ~= place.pointee || place.pointee == 32 || place.pointee == 43 { place += 1 }
    while place.pointee != 0 {
      let digit = Int(place.pointee) - 48
      guard 0...9 ~= digit else { return true }
      number = min(number * 10 + digit, 1 << 16)
      place += 1
    }
    return number < 1 << 16
  }

  /// The same on a thread of the shim's, with a loop that lasts as long as the question.
  static func run(_ call: UnsafeMutablePointer<belay_blocking_call>?) {
    withUnsafeTemporaryAllocation(of: uv_loop_t.self, capacity: 1) {
      let loop = $0.baseAddress.unsafelyUnwrapped
      var code = LoopCore.initialize(loop)
      if code == 0 {
        code = ask(of(call), loop)
        uv_loop_close(loop)
      }
      of(call).pointee.call.code = code
    }
  }

  static func drop(_ call: UnsafeMutablePointer<belay_blocking_call>?) {
    let question = of(call)
    uv_freeaddrinfo(question.pointee.addresses)
    question.deinitialize(count: 1)
    question.deallocate()
  }
}

/// A source that asks about a host. Its end gives the question up.
class HostSource: SourceAtLoop, @unchecked Sendable {
  private final var question: HostQuestion.Pointer?

  /// Called at the loop with the answer, which is freed afterwards. `code` is libuv's.
  func answered(_ code: Int32, _ answer: borrowing HostQuestion) {}

  final func ask(_ host: CText, _ service: CText? = nil, wantsName: Bool = false) {
    let question = HostQuestion.Pointer.allocate(capacity: 1)
    question.initialize(to: HostQuestion(host: host, service: service, wantsName: wantsName))
    let call = HostQuestion.call(of: question)
    call.pointee.owner = Unmanaged.passRetained(self).toOpaque()
    call.pointee.run = { HostQuestion.run($0) }
    call.pointee.drop = { HostQuestion.drop($0) }
    call.pointee.tell = { HostSource.tell($0) }
    self.question = question
    core.beginHold()
    // A question of numbers alone needs no thread.
    if !wantsName
      && HostQuestion.ask(question, core.uv, flags: AI_NUMERICHOST | AI_NUMERICSERV) == 0
    {
      call.pointee.state = Int32(belay_blocking_call_ended)
      HostSource.tell(call)
    } else {
      belay_shim_send_blocking_call(call)
    }
    core.noteNewWatcher()
  }

  /// Has the loop take the answer, from any thread. As long as the question has not been given up, the
  /// loop is open and accepts the message.
  private static func tell(_ call: UnsafeMutablePointer<belay_blocking_call>?) {
    let owner = call.unsafelyUnwrapped.pointee.owner.unsafelyUnwrapped
    let source = Unmanaged<HostSource>.fromOpaque(owner).takeRetainedValue()
    _ = source.core.post({ source.cameBack() }, orElse: {})
  }

  private final func cameBack() {
    guard let question else { return }
    self.question = nil
    core.endHold()
    answered(question.pointee.call.code, question.pointee)
    belay_shim_end_blocking_call(HostQuestion.call(of: question))
  }

  override func end() {
    guard let question else { return }
    self.question = nil
    core.endHold()
    if !belay_shim_end_blocking_call(HostQuestion.call(of: question)) {
      Unmanaged.passUnretained(self).release()
    }
  }
}

private final class LookupSource: HostSource, @unchecked Sendable {
  private let host: CText
  private let service: CText?
  private var events: Events<SocketAddress>?

  init(_ core: LoopCore, _ host: CText, _ service: CText?, _ events: Events<SocketAddress>) {
    self.host = host
    self.service = service
    self.events = events
    super.init(core)
  }

  override func begin() { ask(host, service) }

  override func answered(_ code: Int32, _ answer: borrowing HostQuestion) {
    if code != 0 {
      events?.failed(.uv(code, host.text))
      return
    }
    Batch.begin()
    var next = answer.addresses
    while let found = next {
      if let address = SocketAddress(found.pointee.ai_addr) { events?.send(address) }
      next = found.pointee.ai_next
    }
    Batch.end()
    events?.completed()
  }

  override func end() {
    super.end()
    events = nil
  }
}

private final class NameSource: HostSource, @unchecked Sendable {
  private let address: CText
  private var events: Events<UnsafePointer<CChar>>?

  init(_ core: LoopCore, _ address: CText, _ events: Events<UnsafePointer<CChar>>) {
    self.address = address
    self.events = events
    super.init(core)
  }

  override func begin() { ask(address, wantsName: true) }

  override func answered(_ code: Int32, _ answer: borrowing HostQuestion) {
    if let name = answer.name {
      events?.send(name.pointer)
      events?.completed()
    } else {
      events?.failed(.uv(code, address.text))
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

extension UnsafeMutablePointer<sockaddr_in6> {
  /// libuv's `uv_ip6_addr`, which takes an interface that does not exist for none.
  func set(_ host: UnsafePointer<CChar>, _ port: UInt16) -> Int32 {
    let code = uv_ip6_addr(host, Int32(port), self)
    if code != 0 || pointee.sin6_scope_id != 0 { return code }
    var rest = host
    while rest.pointee != 0 && rest.pointee != CChar(UInt8(ascii: "%")) { rest += 1 }
    return rest.pointee == 0 ? 0 : UV_ENODEV.rawValue
  }
}

/// Calls `body` with a numeric address, or answers libuv's code for a text that is none.
func withSocketAddress(
  _ host: CText, port: UInt16, _ body: (UnsafePointer<sockaddr>) -> Int32
) -> Int32 {
  withUnsafeTemporaryAllocation(of: sockaddr_in6.self, capacity: 1) {
    let room = $0.baseAddress.unsafelyUnwrapped
    let raw = UnsafeMutableRawPointer(room)
    var code = room.set(host.pointer, port)
    if code == UV_EINVAL.rawValue {
      code = uv_ip4_addr(
        host.pointer, Int32(port), raw.assumingMemoryBound(to: sockaddr_in.self))
    }
    return code == 0 ? body(raw.assumingMemoryBound(to: sockaddr.self)) : code
  }
}
