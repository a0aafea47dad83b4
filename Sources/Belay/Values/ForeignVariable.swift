/// A variable of the host's for values of one kind: a number, or a `belay_value` with a reference
/// of its own.
package struct ForeignVariable {
  let kind: ValueKind
  let address: UnsafeMutableRawPointer

  package init(_ kind: ValueKind, at address: UnsafeMutableRawPointer) {
    self.kind = kind
    self.address = address
  }

  /// Stores `value`, which is borrowed. Throws `.wrongKind`, or `.range` for a number that does not
  /// fit.
  package func store(_ value: ForeignValue) throws(Failure) {
    // The target of a pointer with a destructor would be destroyed with the value.
    if kind == .pointer && value.entity != nil { throw Failure(.wrongKind) }
    if kind.isPlain {
      let code = value.store(as: kind, at: address)
      if code.isFailure { throw Failure(code) }
      return
    }
    if kind != .null, value.kind != kind { throw Failure(.wrongKind) }
    keep(value)
    let old = address.loadUnaligned(as: ForeignValue.self)
    address.storeBytes(of: value, as: ForeignValue.self)
    // Last, because the destructor may call back.
    discard(old)
  }
}

extension ValueKind {
  /// Whether a variable of this kind has a C type of its own: a bool, a number or a pointer.
  package var isPlain: Bool { self != .null && self <= .pointer }

  /// The number of bytes of an integer. There are four widths of each sign.
  fileprivate var width: Int { 1 << Int((rawValue - ValueKind.int8.rawValue) & 3) }
}

extension ForeignValue {
  /// Stores the value in a variable of a plain kind; without an address, only checks it. Answers
  /// `.wrongKind`, or `.range` for a number that does not fit.
  package func store(as kind: ValueKind, at address: UnsafeMutableRawPointer?) -> Code {
    switch kind {
    case .bool: put(bool(), at: address) { $0 ? 1 : 0 as Int32 }
    case .float: put(float(), at: address) { $0 }
    case .double: put(double(), at: address) { $0 }
    case .pointer: put(pointer(), at: address) { $0 }
    case _ where kind.isSignedInteger:
      putInteger(integer(Int64.self), width: kind.width, at: address)
    default: putInteger(integer(UInt64.self), width: kind.width, at: address)
    }
  }

  @inline(__always)
  private func put<Thing, Stored>(
    _ reading: Reading<Thing>, at address: UnsafeMutableRawPointer?, _ stored: (Thing) -> Stored
  ) -> Code {
    switch reading {
    case .thing(let thing):
      address?.storeBytes(of: stored(thing), as: Stored.self)
      return .ok
    case .refused(let code): return code
    }
  }

  private func putInteger<Number: FixedWidthInteger>(
    _ reading: Reading<Number>, width: Int, at address: UnsafeMutableRawPointer?
  ) -> Code {
    guard case .thing(let number) = reading else {
      if case .refused(let code) = reading { return code }
      return .wrongKind
    }
    // The bits of 64 that the variable does not have.
    let spare = 64 - 8 * width
    if (number << spare) >> spare != number { return .range }
    switch width {
    case 1: address?.storeBytes(of: UInt8(truncatingIfNeeded: number), as: UInt8.self)
    case 2: address?.storeBytes(of: UInt16(truncatingIfNeeded: number), as: UInt16.self)
    case 4: address?.storeBytes(of: UInt32(truncatingIfNeeded: number), as: UInt32.self)
    default: address?.storeBytes(of: UInt64(truncatingIfNeeded: number), as: UInt64.self)
    }
    return .ok
  }
}
