// Swift has C's types as they are in memory, so a value is read and written there as C would.
extension CPart {
  /// What a signal has sent of this part. A C string points into `value`.
  func typed<Thing>(_ value: ForeignValue, as type: Thing.Type) -> Thing {
    withScratch(for: type) { place in
      _ = store(value, at: place)
      return place.load(as: type)
    }
  }

  /// A value of this part's, with a reference of its own.
  func foreign<Thing>(_ thing: Thing) -> ForeignValue {
    withScratch(for: Thing.self) { place in
      place.storeBytes(of: thing, as: Thing.self)
      return load(place)
    }
  }

  /// Whether what is at `place` is `thing` already: then no copy of a C string is made of it.
  func holds<Thing>(_ thing: Thing, at place: UnsafeRawPointer) -> Bool {
    withScratch(for: Thing.self) { other in
      other.storeBytes(of: thing, as: Thing.self)
      return UnsafeRawBufferPointer(start: other, count: size)
        .elementsEqual(UnsafeRawBufferPointer(start: place, count: size))
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
