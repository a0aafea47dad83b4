/// A hash table from addresses to words. (A Dictionary costs 5 KB of hashing code, and a function
/// of glibc 2.36.)
///
/// At least half of the cells are free. An address is in the cell that its hash selects, or in the
/// first free one after it.
struct AddressTable {
  /// An address and its word; both are 0 in a free cell.
  private typealias Cell = (address: UInt, word: UInt)

  private var cells: UnsafeMutablePointer<Cell>?
  /// The number of cells, which is a power of two, less one.
  private var mask = -1
  private(set) var count = 0

  /// The word of `address`; 0 if there is none.
  subscript(address: UInt) -> UInt {
    get { cells == nil ? 0 : cell(of: address).pointee.word }
    set {
      if newValue == 0 { return remove(address) }
      if (count + 1) * 2 > mask + 1 { grow() }
      let cell = cell(of: address)
      if cell.pointee.address == 0 { count += 1 }
      cell.pointee = (address, newValue)
    }
  }

  /// Frees the memory. The table must not be used afterwards.
  func deallocate() { cells?.deallocate() }

  private func wanted(_ address: UInt) -> Int {
    Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  /// The cell of `address`, or the one where it would be put. The table has cells.
  private func cell(of address: UInt) -> UnsafeMutablePointer<Cell> {
    let cells = cells.unsafelyUnwrapped
    var cell = wanted(address)
    while cells[cell].address != 0 && cells[cell].address != address { cell = (cell + 1) & mask }
    return cells + cell
  }

  private mutating func remove(_ address: UInt) {
    guard let cells else { return }
    var free = cell(of: address)
    if free.pointee.address == 0 { return }
    count -= 1
    // Entries behind the gap that were pushed on move up.
    var next = free - cells
    while true {
      next = (next + 1) & mask
      let entry = cells[next]
      if entry.address == 0 { break }
      let distance = (next - wanted(entry.address)) & mask
      if distance < (next - (free - cells)) & mask { continue }
      free.pointee = entry
      free = cells + next
    }
    free.pointee = (0, 0)
    // A table that was large gives its memory back.
    if count == 0 && mask >= 1024 {
      deallocate()
      self = AddressTable()
    }
  }

  private mutating func grow() {
    let old = UnsafeBufferPointer(start: cells, count: mask + 1)
    let room = max(8, old.count * 2)
    let added = UnsafeMutablePointer<Cell>.allocate(capacity: room)
    added.initialize(repeating: (0, 0), count: room)
    cells = added
    mask = room - 1
    for entry in old where entry.address != 0 { cell(of: entry.address).pointee = entry }
    old.deallocate()
  }
}
