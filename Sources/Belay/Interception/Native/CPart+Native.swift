// Swift lays C's types out as C does, so values are read and written in memory.
extension CPart {
  /// A value of this part in a signal's array, as a Swift value. A C string points into `value`.
  func typed<Thing>(_ value: ForeignValue, as type: Thing.Type) -> Thing {
    withScratch(for: type) { memory in
      _ = store(value, at: memory)
      return memory.load(as: type)
    }
  }

  /// A Swift value of this part as a foreign value, with a reference for the caller.
  func foreign<Thing>(_ thing: Thing) -> ForeignValue {
    withScratch(for: Thing.self) { memory in
      memory.storeBytes(of: thing, as: Thing.self)
      return load(memory)
    }
  }

  /// Whether `thing` is at `memory` already, so that a C string need not be copied.
  func holds<Thing>(_ thing: Thing, at memory: UnsafeRawPointer) -> Bool {
    withScratch(for: Thing.self) { other in
      other.storeBytes(of: thing, as: Thing.self)
      return UnsafeRawBufferPointer(start: other, count: size)
        .elementsEqual(UnsafeRawBufferPointer(start: memory, count: size))
    }
  }

  private func withScratch<Thing, Result>(
    for type: Thing.Type, _ body: (UnsafeMutableRawPointer) -> Result
  ) -> Result {
    let size = max(MemoryLayout<Thing>.size, self.size, MemoryLayout<UInt>.size)
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { bytes in
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      return body(bytes.baseAddress.unsafelyUnwrapped)
    }
  }
}
