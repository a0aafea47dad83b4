/// Copies C structs that begin with their size. A later version may add members at the end, so a
/// program and the library may know a struct in different sizes.
package enum GrowingStruct {
  /// Larger than any version of a struct will be. A larger number is not a size.
  package static let largest = 4096

  /// Fills `own`, of `size` bytes, with the members of `given` that are known here, and zeroes the
  /// others. Answers false for a size that no version has had, and for a member that is unknown
  /// here and not zero, because it would be ignored in silence.
  package static func read(
    _ given: UnsafeRawPointer, first: Int, into own: UnsafeMutableRawPointer, size: Int
  ) -> Bool {
    let there = given.load(as: Int.self)
    guard isSize(there, first: first) else { return false }
    var index = size
    while index < there {
      if given.load(fromByteOffset: index, as: UInt64.self) != 0 { return false }
      index += 8
    }
    copy(given, to: own, size: size, known: min(size, there))
    return true
  }

  /// The reverse: fills `given`, which states its size, from `own`. Answers false for a size that
  /// no version has had.
  package static func write(
    _ own: UnsafeRawPointer, size: Int, first: Int, to given: UnsafeMutableRawPointer
  ) -> Bool {
    let there = given.load(as: Int.self)
    guard isSize(there, first: first) else { return false }
    copy(own, to: given, size: there, known: min(size, there))
    given.storeBytes(of: there, as: Int.self)
    return true
  }

  private static func isSize(_ size: Int, first: Int) -> Bool {
    size >= first && size <= largest && size % 8 == 0
  }

  private static func copy(
    _ bytes: UnsafeRawPointer, to target: UnsafeMutableRawPointer, size: Int, known: Int
  ) {
    target.copyMemory(from: bytes, byteCount: known)
    (target + known).initializeMemory(as: UInt8.self, repeating: 0, count: size - known)
  }
}
