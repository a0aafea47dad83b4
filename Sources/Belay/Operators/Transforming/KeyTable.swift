/// Different keys in the order in which they came, and a hash table of their numbers.
struct KeyTable<Key> {
  private(set) var keys: [Key] = []
  private var hashes: [UInt64] = []
  /// Cells with a key's number plus one, or 0. Their count is a power of two, and at most half of
  /// them are in use.
  private var cells: [UInt32] = []

  /// The number of `key`. Takes over the reference to `key` if it is new.
  mutating func number(
    of key: Key, _ hash: UInt64, _ areEqual: (Key, Key) -> Bool
  ) -> (number: Int, isNew: Bool) {
    if keys.count * 2 >= cells.count { grow() }
    // Mixed, because the low bits select the cell.
    let hash = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
    var cell = Int(truncatingIfNeeded: hash >> 32) & (cells.count - 1)
    while cells[cell] != 0 {
      let index = Int(cells[cell]) - 1
      if hashes[index] == hash && areEqual(keys[index], key) { return (index, false) }
      cell = (cell + 1) & (cells.count - 1)
    }
    keys.append(key)
    hashes.append(hash)
    cells[cell] = UInt32(truncatingIfNeeded: keys.count)
    return (keys.count - 1, true)
  }

  private mutating func grow() {
    let count = max(8, cells.count * 2)
    cells = [UInt32](repeating: 0, count: count)
    for (index, hash) in hashes.enumerated() {
      var cell = Int(truncatingIfNeeded: hash >> 32) & (count - 1)
      while cells[cell] != 0 { cell = (cell + 1) & (count - 1) }
      cells[cell] = UInt32(truncatingIfNeeded: index + 1)
    }
  }
}
