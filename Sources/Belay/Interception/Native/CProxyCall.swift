/// A call of any method of a proxy, as its interceptor gets it.
public struct CProxyCall {
  private let invocation: Invocation

  fileprivate init(_ invocation: Invocation) { self.invocation = invocation }

  /// The method's name.
  public var method: String { invocation.method.name.text }

  /// The object that was called; nil if the method has none.
  public var object: UnsafeMutableRawPointer? { invocation.context }

  /// The arguments: an Int64, UInt64, Float, Double, Bool, String or raw pointer each; nil for
  /// null. A struct is its bytes.
  public var arguments: [Any?] {
    (0..<invocation.count).map { index in
      guard let value = invocation.argument(index) else { return nil }
      defer { discard(value) }
      return value.plain
    }
  }

  /// Continues the call: with the next interceptor, or with the method itself. Without it the call
  /// goes no further, and its result is zero.
  public func proceed() { _ = invocation.proceed() }
}

extension ForeignValue {
  /// The value as one of Swift's own types; nil for null.
  fileprivate var plain: Any? {
    if let box = entity as? BytesBox {
      return kind == .string ? String(decoding: box.bytes, as: UTF8.self) : [UInt8](box.bytes)
    }
    return switch kind {
    case .bool: payload != 0
    case .int8, .int16, .int32, .int64: Int64(bitPattern: payload)
    case .uint8, .uint16, .uint32, .uint64: payload
    case .float: Float(bitPattern: UInt32(truncatingIfNeeded: payload))
    case .double: Double(bitPattern: payload)
    case .pointer: UnsafeMutableRawPointer(bitPattern: UInt(payload))
    default: nil
    }
  }
}

extension CProxy {
  /// Calls `body` instead of every method that may be intercepted. All these methods are in the
  /// table meanwhile.
  ///
  /// - Returns: a disposable that ends it. It goes on when the result is dropped.
  /// - Throws: `.dead` when the object is dying, or the code of `install`; then no method is
  ///   intercepted.
  @discardableResult
  public func around(_ body: @escaping (CProxyCall) -> Void) throws(Failure) -> Disposable {
    let (code, hook) = try proxy.around { body(CProxyCall($0)) }
    if code.isFailure { throw Failure(code) }
    return hook
  }
}
