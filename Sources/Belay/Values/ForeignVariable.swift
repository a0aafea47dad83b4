/// A variable of the host's, for values of one kind: a number, or a `belay_value` that has a
/// reference of its own.
package struct ForeignVariable {
  let kind: ValueKind
  let address: UnsafeMutableRawPointer

  package init(_ kind: ValueKind, at address: UnsafeMutableRawPointer) {
    self.kind = kind
    self.address = address
  }

  /// Stores `value`, which is borrowed. Throws `.wrongKind`, and `.range` for a number that does
  /// not fit.
  package func store(_ value: ForeignValue) throws(Failure) {
    switch kind {
    case .bool: address.storeBytes(of: try read(value.bool()) ? 1 : 0, as: Int32.self)
    case .float: address.storeBytes(of: try read(value.float()), as: Float.self)
    case .double: address.storeBytes(of: try read(value.double()), as: Double.self)
    case .pointer:
      // What one with a destructor points to goes with the value.
      if value.entity != nil { throw Failure(.wrongKind) }
      address.storeBytes(of: try read(value.pointer()), as: UnsafeMutableRawPointer?.self)
    case _ where kind.isSignedInteger:
      let number = try read(value.integer(Int64.self))
      if (number << spare) >> spare != number { throw Failure(.range) }
      put(UInt64(bitPattern: number), bytes: width)
    case _ where kind.isUnsignedInteger:
      let number = try read(value.integer(UInt64.self))
      if (number << spare) >> spare != number { throw Failure(.range) }
      put(number, bytes: width)
    default:
      if kind != .null, value.kind != kind { throw Failure(.wrongKind) }
      keep(value)
      let old = address.loadUnaligned(as: ForeignValue.self)
      address.storeBytes(of: value, as: ForeignValue.self)
      // Last, for what goes may call back.
      discard(old)
    }
  }

  private func read<Thing>(_ reading: ForeignValue.Reading<Thing>) throws(Failure) -> Thing {
    switch reading {
    case .thing(let thing): return thing
    case .refused(let code): throw Failure(code)
    }
  }

  /// The bytes of an integer; there are four widths of each sign.
  private var width: Int { 1 << Int((kind.rawValue - ValueKind.int8.rawValue) & 3) }
  /// The bits that a number of 64 has more.
  private var spare: Int { 64 - 8 * width }

  private func put(_ bits: UInt64, bytes: Int) {
    switch bytes {
    case 1: address.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
    case 2: address.storeBytes(of: UInt16(truncatingIfNeeded: bits), as: UInt16.self)
    case 4: address.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
    default: address.storeBytes(of: bits, as: UInt64.self)
    }
  }
}
