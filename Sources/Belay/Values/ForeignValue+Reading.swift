extension ForeignValue {
  public static let null = ForeignValue(payload: 0, tag: 0)

  /// A value that is `object`. It takes over one reference to it.
  package init(taking object: Entity) {
    self.init(
      payload: 0,
      tag: UInt64(UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())))
  }

  package init(scalar payload: UInt64, _ kind: ValueKind) {
    self.init(payload: payload, tag: UInt64(kind.rawValue))
  }

  package init(_ truth: Bool) { self.init(scalar: truth ? 1 : 0, .bool) }

  /// The object of the value, borrowed.
  package var entity: Entity? { box?.takeUnretainedValue() }

  /// The kind; nil for bits that are no value.
  public var kind: ValueKind? {
    if let entity { return entity.valueKind }
    return ValueKind(rawValue: UInt32(truncatingIfNeeded: tag)).flatMap {
      $0 <= .pointer ? $0 : nil
    }
  }

  /// The result of reading a value: the thing, or a code that says why there is none.
  package enum Reading<Thing> {
    case thing(Thing)
    case refused(Code)
  }

  /// The handle in the value, if it is of `kind`.
  package func handle(_ kind: ValueKind) -> Entity? {
    guard self.kind == kind else { return nil }
    if let box = entity as? OwnerBox { return box.record }
    return entity
  }

  package func bool() -> Reading<Bool> {
    kind == .bool ? .thing(payload != 0) : .refused(.wrongKind)
  }

  package func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Reading<Integer> {
    guard let kind else { return .refused(.wrongKind) }
    let exact: Integer?
    if kind.isSignedInteger {
      exact = Integer(exactly: Int64(bitPattern: payload))
    } else if kind.isUnsignedInteger {
      exact = Integer(exactly: payload)
    } else {
      return .refused(.wrongKind)
    }
    return exact.map { .thing($0) } ?? .refused(.range)
  }

  package func float() -> Reading<Float> {
    kind == .float
      ? .thing(Float(bitPattern: UInt32(truncatingIfNeeded: payload))) : .refused(.wrongKind)
  }

  package func double() -> Reading<Double> {
    guard let kind else { return .refused(.wrongKind) }
    let exact: Double?
    switch kind {
    case .double: exact = Double(bitPattern: payload)
    case .float: exact = Double(Float(bitPattern: UInt32(truncatingIfNeeded: payload)))
    case _ where kind.isSignedInteger: exact = Double(exactly: Int64(bitPattern: payload))
    case _ where kind.isUnsignedInteger: exact = Double(exactly: payload)
    default: return .refused(.wrongKind)
    }
    return exact.map { .thing($0) } ?? .refused(.range)
  }

  /// The pointer, for a caller that follows it. A pointer with a home is refused on other threads.
  package func pointer() -> Reading<UnsafeMutableRawPointer?> {
    if let box = entity as? HomedPointerBox, box.access.isFailure { return .refused(box.access) }
    return address()
  }

  /// The pointer, for a caller that only compares it.
  func address() -> Reading<UnsafeMutableRawPointer?> {
    if let box = entity as? PointerBox { return .thing(box.pointer) }
    if kind != .pointer { return .refused(.wrongKind) }
    return .thing(UnsafeMutableRawPointer(bitPattern: UInt(payload)))
  }

  /// `isEqual` for two values of which at most one is an array.
  func isEqualItem(to other: ForeignValue) -> Bool {
    guard let kind, kind == other.kind else { return false }
    switch kind {
    case .double: return Double(bitPattern: payload) == Double(bitPattern: other.payload)
    case .float:
      return Float(bitPattern: UInt32(truncatingIfNeeded: payload))
        == Float(bitPattern: UInt32(truncatingIfNeeded: other.payload))
    case .pointer:
      if case .thing(let one) = address(), case .thing(let two) = other.address() {
        return one == two
      }
      return false
    default: break
    }
    guard let one = entity, let two = other.entity else { return payload == other.payload }
    if kind >= .signal { return handle(kind) === other.handle(kind) }
    if one === two { return true }
    if let one = one as? StructBox, let two = two as? StructBox {
      return one.type.isEqual(to: two.type) && one.bytes.elementsEqual(two.bytes)
    }
    if let one = one as? BytesBox, let two = two as? BytesBox {
      return one.bytes.elementsEqual(two.bytes)
    }
    if let one = one as? FailureBox, let two = two as? FailureBox {
      return one.failure.isEqual(to: two.failure)
    }
    return false
  }
}

extension Failure {
  /// Whether they say the same: what caused them, and what they carry, is not compared.
  fileprivate final func isEqual(to other: Failure) -> Bool {
    code == other.code
      && StaticSite(at: domainCString).isEqual(to: StaticSite(at: other.domainCString))
      && StaticSite(at: messageCString).isEqual(to: StaticSite(at: other.messageCString))
  }
}

extension StaticSite {
  package func isEqual(to other: StaticSite) -> Bool {
    var index = 0
    while pointer[index] == other.pointer[index] {
      if pointer[index] == 0 { return true }
      index += 1
    }
    return false
  }
}

extension ForeignValue {
  /// The bytes of a value that is bytes or a string.
  package var bytesBox: BytesBox? {
    guard let kind, kind == .bytes || kind == .string else { return nil }
    return entity as? BytesBox
  }
}
