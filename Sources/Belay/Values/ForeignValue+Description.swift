import CBelayShim

extension ForeignValue {
  /// The value as readable text.
  package var text: Text {
    var text: Text = ""
    var isFirst = true
    func separate() { if !isFirst { text += ", " } }
    let isWhole = visit(
      begin: {
        separate()
        text += "["
        isFirst = true
      },
      item: {
        separate()
        text += $0.itemText
        isFirst = false
      },
      end: {
        text += "]"
        isFirst = false
      })
    if !isWhole {
      separate()
      text += "…"
    }
    return text
  }

  private var itemText: Text {
    guard let kind else { return "(not a value)" }
    switch kind {
    case .null: return "null"
    case .bool: return payload != 0 ? "true" : "false"
    case _ where kind.isSignedInteger: return "\(Int64(bitPattern: payload))"
    case _ where kind.isUnsignedInteger: return "\(payload)"
    case .float:
      return Self.text(
        of: Double(Float(bitPattern: UInt32(truncatingIfNeeded: payload))), digits: 6)
    case .double: return Self.text(of: Double(bitPattern: payload), digits: 15)
    case .pointer:
      if case .thing(let pointer) = address() { return Self.text(of: UInt(bitPattern: pointer)) }
      return "pointer"
    default: return entity.map { Self.text(of: $0) } ?? kind.name.string
    }
  }

  private static func text(of entity: Entity) -> Text {
    if let box = entity as? BytesBox, box.valueKind == .string {
      return Text(decoding: box.bytes, as: UTF8.self)
    }
    if let box = entity as? StructBox { return "\(box.type.text)[\(box.bytes.count)]" }
    if let box = entity as? BytesBox { return "bytes[\(box.bytes.count)]" }
    if let box = entity as? FailureBox { return "failure: " + box.failure.message }
    if let error = entity as? Failure { return "error: " + error.message }
    let address = UInt(bitPattern: Unmanaged.passUnretained(entity).toOpaque())
    return entity.valueKind.name.string + " " + text(of: address)
  }

  /// Uses libc, because Swift's own conversion costs 8 KB of tables.
  private static func text(of number: Double, digits: Int32) -> Text {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) {
      belay_shim_print_double(number, digits, $0.baseAddress)
      return Text(cString: $0.baseAddress.unsafelyUnwrapped)
    }
  }

  private static func text(of address: UInt) -> Text { "0x" + Text(address, radix: 16) }
}
