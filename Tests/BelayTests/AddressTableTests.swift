import Testing

@testable import Belay

extension CoreTests {
  @Suite struct AddressTables {
    /// A dictionary takes the same steps, for comparison.
    @Test func answersWhatADictionaryWould() {
      var random = SystemRandomNumberGenerator()
      let seed = random.next()
      var state = seed
      func next(_ below: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % below
      }
      var table = AddressTable()
      defer { table.deallocate() }
      var model: [UInt: UInt] = [:]
      for step in 0..<20_000 {
        let address = UInt(next(300) + 1) * 16
        let word = UInt(next(3))
        table[address] = word
        model[address] = word == 0 ? nil : word
        #expect(table.count == model.count, "seed \(seed), step \(step)")
        #expect(table[0] == 0, "seed \(seed), step \(step)")
      }
      for address in stride(from: UInt(16), through: 4800, by: 16) {
        #expect(table[address] == model[address] ?? 0, "seed \(seed), address \(address)")
      }
    }

    @Test func anEmptyOneHasNothing() {
      var table = AddressTable()
      defer { table.deallocate() }
      table[16] = 0
      #expect(table[16] == 0 && table.count == 0)
    }
  }
}
