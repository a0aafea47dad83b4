extension ForeignValue {
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
      // The words of 128 bits: one of them may not fit an Int64, but the sum may.
      let (low, carries) = sum.low.addingReportingOverflow(number.low)
      let result = Int64(bitPattern: low)
      if sum.high + number.high + (carries ? 1 : 0) != result >> 63 {
        throw Failure(.range, message: "the sum is out of range")
      }
      self.sum = .signed(result)
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
  /// The words of an integer of 128 bits.
  fileprivate var low: UInt64 {
    switch self {
    case .signed(let number): UInt64(bitPattern: number)
    case .unsigned(let number): number
    case .floating: 0
    }
  }
  fileprivate var high: Int64 { if case .signed(let number) = self { number >> 63 } else { 0 } }
}
