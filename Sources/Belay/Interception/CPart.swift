import CBelayClosure

/// One argument of a C function, or its result: reads it from memory and writes it there.
struct CPart {
  private let part: belay_shape_part

  init(_ part: belay_shape_part) { self.part = part }

  var code: UInt8 { UInt8(bitPattern: part.code) }
  var size: Int { Int(part.size) }
  var offset: Int { Int(part.offset) }

  private var typeName: StaticSite? { StaticSite(at: part.type_name) }

  /// The kind of value, if this is a number or a pointer.
  private var kind: ValueKind? {
    switch code {
    case UInt8(ascii: "c"): .int8
    case UInt8(ascii: "s"): .int16
    case UInt8(ascii: "i"): .int32
    case UInt8(ascii: "q"): .int64
    case UInt8(ascii: "C"): .uint8
    case UInt8(ascii: "S"): .uint16
    case UInt8(ascii: "I"): .uint32
    case UInt8(ascii: "Q"): .uint64
    case UInt8(ascii: "f"): .float
    case UInt8(ascii: "d"): .double
    case UInt8(ascii: "p"), UInt8(ascii: "@"), UInt8(ascii: "*"): .pointer
    default: nil
    }
  }

  /// Whether it may point into memory.
  var mayPoint: Bool { typeName != nil || kind == .pointer }

  /// The value in `memory`, with a reference for the caller.
  func load(_ memory: UnsafeMutableRawPointer) -> ForeignValue {
    if let typeName {
      let bytes = UnsafeRawBufferPointer(start: memory, count: size)
      return ForeignValue(taking: StructBox(typeName, copying: bytes))
    }
    if code == UInt8(ascii: "B") { return ForeignValue(memory.load(as: UInt8.self) != 0) }
    guard let kind else { return .null }
    if kind != .pointer { return ForeignVariable(kind, at: memory).load() }
    guard let pointer = memory.load(as: UnsafePointer<CChar>?.self) else { return .null }
    if code == UInt8(ascii: "*") { return Self.text(pointer) }
    return ForeignValue(scalar: UInt64(UInt(bitPattern: pointer)), .pointer)
  }

  /// A copy of a C string, as bytes if it is not UTF-8.
  private static func text(_ pointer: UnsafePointer<CChar>) -> ForeignValue {
    var count = 0
    while pointer[count] != 0 { count += 1 }
    let bytes = UnsafeRawBufferPointer(start: pointer, count: count)
    return ForeignValue(
      taking: UTF8Text.isValid(bytes) ? StringBox(copying: bytes) : BytesBox(copying: bytes))
  }

  /// Writes a value. The caller keeps the value as long as C may use a string of it. If this fails,
  /// `memory` is unchanged.
  func store(_ value: ForeignValue, at memory: UnsafeMutableRawPointer) -> Code {
    if let typeName {
      guard let box = value.entity as? StructBox, box.type.isEqual(to: typeName) else {
        return clear(memory, for: value)
      }
      guard box.bytes.count == size else { return .range }
      memory.copyMemory(from: box.bytes.baseAddress.unsafelyUnwrapped, byteCount: size)
      return .ok
    }
    if value.kind == .null { return clear(memory, for: value) }
    if code == UInt8(ascii: "B") {
      guard case .thing(let truth) = value.bool() else { return .wrongKind }
      memory.storeBytes(of: truth ? 1 : 0, as: UInt8.self)
      return .ok
    }
    guard let kind else { return .wrongKind }
    if code == UInt8(ascii: "*"), let box = value.entity as? BytesBox, box.valueKind != .structure {
      // C would take a string with a NUL inside for a shorter one.
      if box.bytes.contains(0) { return .range }
      memory.storeBytes(
        of: box.bytes.baseAddress.unsafelyUnwrapped, as: UnsafeRawPointer.self)
      return .ok
    }
    if kind == .pointer {
      switch value.pointer() {
      case .thing(let pointer): memory.storeBytes(of: pointer, as: UnsafeMutableRawPointer?.self)
      case .refused(let code): return code
      }
      return .ok
    }
    do throws(Failure) {
      try ForeignVariable(kind, at: memory).store(value)
    } catch {
      return error.code
    }
    return .ok
  }

  /// Extends an integer result to the whole word that libffi reads.
  func widen(_ memory: UnsafeMutableRawPointer) {
    if size >= MemoryLayout<UInt64>.size || typeName != nil || kind == .float { return }
    memory.storeBytes(of: load(memory).payload, as: UInt64.self)
  }

  /// Writes zeroes for null; other values are refused.
  private func clear(_ memory: UnsafeMutableRawPointer, for value: ForeignValue) -> Code {
    guard value.kind == .null else { return .wrongKind }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    return .ok
  }
}
