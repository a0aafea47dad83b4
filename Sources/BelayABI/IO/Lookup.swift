@_spi(Engine) import Belay
import BelayIO
@_spi(Engine) import BelayLoop
import CBelay

@_cdecl("belay_lookup")
@implementation
public func belay_lookup(
  _ l: OpaquePointer!, _ host: UnsafePointer<CChar>!, _ service: UnsafePointer<CChar>!
) -> OpaquePointer! {
  atPath(l, host) {
    $0.core.lookup($1, service.map { CText(copying: $0) }) {
      ForeignValue(taking: ArrayBox(taking: addressItems($0)))
    }
  }
}

/// The items of an array of host and port.
func addressItems(_ address: SocketAddress) -> [ForeignValue] {
  let host = CText(address.host)
  defer { extendLifetime(host) }
  return [textValue(host.pointer), ForeignValue(scalar: UInt64(address.port), .uint16)]
}

@_cdecl("belay_host_name")
@implementation
public func belay_host_name(
  _ l: OpaquePointer!, _ address: UnsafePointer<CChar>!
) -> OpaquePointer! {
  atPath(l, address) { $0.core.hostName($1) { textValue($0) } }
}
