import Testing

@testable import Belay

extension CoreTests {
  /// A program and a library that know a struct at different sizes: 24 bytes in the first version.
  @Suite struct GrowingStructs {
    /// What the library, which knows `size` bytes, makes of `words` whose first states their size.
    private func read(_ words: [Int], size: Int) -> [Int]? {
      var own = [Int](repeating: -1, count: size / 8 + 1)
      let isRead = words.withUnsafeBytes { given in
        own.withUnsafeMutableBytes {
          GrowingStruct.read(
            given.baseAddress!, first: 24, into: $0.baseAddress!, size: size)
        }
      }
      #expect(own.removeLast() == -1)
      return isRead ? own : nil
    }

    @Test func anOlderOneIsCopiedOverZeroes() {
      #expect(read([24, 1, 2], size: 40) == [24, 1, 2, 0, 0])
      #expect(read([32, 1, 2, 3], size: 40) == [32, 1, 2, 3, 0])
    }

    @Test func aNewerOneMayNotSayWhatIsUnknown() {
      #expect(read([40, 1, 2, 0, 0], size: 24) == [40, 1, 2])
      #expect(read([40, 1, 2, 0, 1], size: 24) == nil)
      #expect(read([40, 1, 2, 1 << 63, 0], size: 24) == nil)
    }

    @Test func whatIsNoSizeIsRefused() {
      for size in [0, 8, 16, 28, 4104, .max, .min, -1] {
        #expect(read([size, 1, 2, 3], size: 32) == nil)
      }
    }

    @Test func oneThatIsFilledIn() {
      func write(_ words: [Int], to size: Int) -> [Int]? {
        var given = [Int](repeating: -1, count: 8)
        given[0] = size
        let isWritten = given.withUnsafeMutableBytes { given in
          words.withUnsafeBytes {
            GrowingStruct.write(
              $0.baseAddress!, size: words.count * 8, first: 24, to: given.baseAddress!)
          }
        }
        return isWritten ? given : nil
      }
      #expect(write([0, 1, 2, 3], to: 24) == [24, 1, 2, -1, -1, -1, -1, -1])
      #expect(write([0, 1, 2], to: 40) == [40, 1, 2, 0, 0, -1, -1, -1])
      #expect(write([0, 1, 2], to: 16) == nil)
      #expect(write([0, 1, 2], to: .max) == nil)
    }
  }
}
