@_spi(Engine) import Belay
import BelayIO
@_spi(Engine) import BelayLoop
import CBelay

@_cdecl("belay_udp")
@implementation
public func belay_udp(
  _ l: OpaquePointer!, _ outgoing: OpaquePointer!, _ options: UnsafePointer<belay_udp_options>!
) -> OpaquePointer! {
  let plan = UDPPlan()
  if let options {
    guard let given = known(options), fill(plan, from: given) else { return failed(invalid(l)) }
  }
  guard let loop = open(l) else { return nil }
  let outgoing = object(outgoing, CSignal.self)
  return give(
    loop.core.udp(
      plan,
      { socket in
        outgoing.flatMap { socket.sends($0) { send($0, by: socket) } }
      },
      convert: {
        switch $0 {
        case .bound(let address): what(.null, address)
        case .received(let bytes, let address):
          what(ForeignValue(taking: BytesBox(copying: bytes)), address)
        case .refused(let failure, let address): what(ForeignValue(taking: failure), address)
        }
      }))
}

private func fill(_ plan: UDPPlan, from options: belay_udp_options) -> Bool {
  let flags = options.flags
  guard flags & ~UInt32(BELAY_UDP_SHARE | BELAY_UDP_BROADCAST | BELAY_UDP_NO_LOOP) == 0,
    options.multicast_ttl <= 255, options.reserved == 0
  else { return false }
  if let host = options.host { plan.local.host = CText(copying: host) }
  plan.local.port = options.port
  if let host = options.remote_host { plan.remote = (CText(copying: host), options.remote_port) }
  plan.groups = texts(options.groups) ?? []
  plan.interface = options.interface_host.map { CText(copying: $0) }
  plan.sharesAddress = flags & UInt32(BELAY_UDP_SHARE) != 0
  plan.broadcasts = flags & UInt32(BELAY_UDP_BROADCAST) != 0
  plan.loopsBack = flags & UInt32(BELAY_UDP_NO_LOOP) == 0
  if options.multicast_ttl > 0 { plan.multicastHops = UInt8(options.multicast_ttl) }
  return true
}

/// The value of an event of a socket. Takes over `thing`.
private func what(_ thing: ForeignValue, _ address: SocketAddress?) -> ForeignValue {
  var items = [thing]
  for item in address.map(addressItems) ?? [.null, ForeignValue(scalar: 0, .uint16)] {
    items.append(item)
  }
  return ForeignValue(taking: ArrayBox(taking: items))
}

/// Sends a datagram: an array of bytes, host and port, or bytes alone.
private func send(_ value: ForeignValue, by socket: UDPSocket) {
  if let box = value.bytesBox { return socket.send(box.bytes, to: nil) }
  guard let items = (value.entity as? ArrayBox)?.items, items.count == 3,
    let box = items[0].bytesBox, let host = items[1].bytesBox, host.valueKind == .string,
    case .thing(let port) = items[2].integer(UInt16.self)
  else {
    return socket.refuse(Failure(.wrongKind, message: "udp: a value that is no datagram"))
  }
  socket.send(
    box.bytes, to: SocketAddress(host: Text(decoding: host.bytes, as: UTF8.self), port: port))
}
