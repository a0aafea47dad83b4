extension ForeignValue {
  /// A hash, which is the same for equal values.
  package var hash: UInt64 {
    var hash: UInt64 = 14_695_981_039_346_656_037
    visit(
      atMost: 4096, begin: { Self.mix(UInt64(ValueKind.array.rawValue), into: &hash) },
      item: { $0.mix(into: &hash) })
    return hash
  }

  private static func mix(_ word: UInt64, into hash: inout UInt64) {
    hash = (hash ^ word) &* 1_099_511_628_211
    hash ^= hash >> 32
  }

  private func mix(into hash: inout UInt64) {
    func mix(_ word: UInt64) { Self.mix(word, into: &hash) }
    guard let kind else { return }
    mix(UInt64(kind.rawValue))
    if kind == .float || kind == .double || kind == .pointer {
      // Their equality is not that of their bits: 0.0 equals -0.0, and pointers compare by address.
      if case .thing(let number) = double() { mix(number == 0 ? 0 : number.bitPattern) }
      if case .thing(let pointer) = address() { mix(UInt64(UInt(bitPattern: pointer))) }
      return
    }
    guard let entity else { return mix(payload) }
    if let box = entity as? BytesBox {
      for byte in box.bytes { mix(UInt64(byte)) }
    } else if let box = entity as? FailureBox {
      mix(UInt64(UInt32(bitPattern: box.failure.code.rawValue)))
    } else if let handle = handle(kind), kind >= .signal {
      mix(UInt64(UInt(bitPattern: Unmanaged.passUnretained(handle).toOpaque())))
    }
  }
}
