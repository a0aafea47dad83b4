import CBelayClosure

/// A slot in the table that a proxy gives to its object.
final class ProxySlot: MethodSlot, @unchecked Sendable {
  private let proxy: DelegateProxy
  /// Whether our function is in the table. `placing` protects this.
  private(set) var isInPlace = false

  init(_ method: Method, _ proxy: DelegateProxy) throws(Failure) {
    self.proxy = proxy
    try super.init(method)
  }

  override func place(_ function: belay_closure_function) -> Code {
    isInPlace = true
    return write(function)
  }

  override func displace() -> Code {
    isInPlace = false
    return write(originalFunction)
  }

  override func placingIsOver() -> Code { proxy.installIfStale() }

  private func write(_ function: belay_closure_function?) -> Code {
    proxy.write(
      function.map { unsafeBitCast($0, to: UnsafeMutableRawPointer.self) }, at: method.offset)
    return .ok
  }
}
