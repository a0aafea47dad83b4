extension ForeignValue {
  /// A hash, which is the same for equal values.
  package var hash: UInt64 {
    // The hashes of the arrays that are open, the innermost last.
    var hashes: [UInt64] = []
    var result: UInt64 = 0
    func add(_ hash: UInt64) {
      guard let outer = hashes.popLast() else { return result = hash }
      hashes.append((outer &* 31) ^ hash)
    }
    visit(
      begin: { hashes.append(UInt64($0)) }, item: { add($0.itemHash) },
      end: { if let inner = hashes.popLast() { add(inner) } })
    return result
  }

  /// `hash` of a value that is no array.
  private var itemHash: UInt64 {
    guard let kind else { return 0 }
    switch kind {
    // 0.0 and -0.0 are equal.
    case .double: return (Double(bitPattern: payload) + 0).bitPattern
    case .float:
      return UInt64((Float(bitPattern: UInt32(truncatingIfNeeded: payload)) + 0).bitPattern)
    case .pointer:
      if case .thing(let pointer) = address() { return UInt64(UInt(bitPattern: pointer)) }
      return 0
    default: break
    }
    guard let entity else { return payload }
    if let box = entity as? BytesBox { return Self.hash(of: box.bytes) }
    if let box = entity as? FailureBox {
      return UInt64(UInt32(bitPattern: box.failure.code.rawValue))
    }
    guard let handle = handle(kind) else { return 0 }
    return UInt64(UInt(bitPattern: Unmanaged.passUnretained(handle).toOpaque()))
  }

  /// The FNV-1a hash.
  private static func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// A value of a numeric kind.
  package enum Number {
    case signed(Int64)
    case unsigned(UInt64)
    case floating(Double)

    package var double: Double {
      switch self {
      case .signed(let number): Double(number)
      case .unsigned(let number): Double(number)
      case .floating(let number): number
      }
    }
  }

  package func number() throws(Failure) -> Number {
    if let kind {
      if kind.isSignedInteger { return .signed(Int64(bitPattern: payload)) }
      if kind.isUnsignedInteger { return .unsigned(payload) }
      if kind == .double { return .floating(Double(bitPattern: payload)) }
      if kind == .float {
        return .floating(Double(Float(bitPattern: UInt32(truncatingIfNeeded: payload))))
      }
    }
    throw Failure(.wrongKind, message: "not a number")
  }

  /// Whether this is less than `other`: numbers by value, whatever their kinds are, and strings by
  /// their bytes. Other values have no order.
  package func isLess(than other: ForeignValue) throws(Failure) -> Bool {
    if kind == .string, other.kind == .string,
      let one = entity as? BytesBox, let two = other.entity as? BytesBox
    {
      return one.bytes.lexicographicallyPrecedes(two.bytes)
    }
    switch (try number(), try other.number()) {
    case (.signed(let one), .signed(let two)): return one < two
    case (.unsigned(let one), .unsigned(let two)): return one < two
    case (.signed(let one), .unsigned(let two)): return one < two
    case (.unsigned(let one), .signed(let two)): return one < two
    case (let one, let two): return one.double < two.double
    }
  }
}

/// A sum of foreign numbers: unsigned while all of them are, signed while all of them are integers.
package struct ForeignSum {
  private var sum: ForeignValue.Number?

  package init() {}

  package mutating func add(_ value: ForeignValue) throws(Failure) {
    let number = try value.number()
    guard let sum else { return self.sum = number }
    switch (sum, number) {
    case (.unsigned(var one), .unsigned(let two)):
      try Belay.add(&one, two)
      self.sum = .unsigned(one)
    case (.floating, _), (_, .floating): self.sum = .floating(sum.double + number.double)
    default:
      guard var one = sum.signed, let two = number.signed else {
        throw Failure(.range, message: "the sum is out of range")
      }
      try Belay.add(&one, two)
      self.sum = .signed(one)
    }
  }

  package var result: ForeignValue {
    switch sum {
    case .signed(let number): ForeignValue(scalar: UInt64(bitPattern: number), .int64)
    case .unsigned(let number): ForeignValue(scalar: number, .uint64)
    case .floating(let number): ForeignValue(scalar: number.bitPattern, .double)
    case nil: ForeignValue(scalar: 0, .int64)
    }
  }
}

extension ForeignValue.Number {
  /// The number as an `Int64`, if it is an integer that fits.
  fileprivate var signed: Int64? {
    switch self {
    case .signed(let number): number
    case .unsigned(let number): Int64(exactly: number)
    case .floating: nil
    }
  }
}
