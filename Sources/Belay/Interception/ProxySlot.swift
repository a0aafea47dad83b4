import CBelayClosure

/// A slot in the table that a proxy gives to its object.
final class ProxySlot: MethodSlot, @unchecked Sendable {
  private let proxy: DelegateProxy
  /// Whether our function is in the table. `writing` protects this.
  private(set) var isWritten = false

  init(_ method: Method, _ proxy: DelegateProxy) throws(Failure) {
    self.proxy = proxy
    try super.init(method)
  }

  override func putIn(_ function: belay_closure_function) -> Code {
    isWritten = true
    return write(function)
  }

  override func takeOut() -> Code {
    isWritten = false
    return write(originalFunction)
  }

  override func writingIsOver() -> Code { proxy.installIfStale() }

  private func write(_ function: belay_closure_function?) -> Code {
    proxy.write(
      function.map { unsafeBitCast($0, to: UnsafeMutableRawPointer.self) }, at: method.offset)
    return .ok
  }
}
