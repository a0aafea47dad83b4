/// A hash table from addresses to words. (A Dictionary costs 5 KB of hashing code, and a function
/// of glibc 2.36.)
///
/// At least half of the cells are free. An address is in the cell that its hash selects, or in the
/// first free one after it.
struct AddressTable {
  private var addresses: UnsafeMutablePointer<UInt>?
  private var words: UnsafeMutablePointer<UInt>?
  /// The number of cells, which is a power of two, less one.
  private var mask = -1
  private(set) var count = 0

  /// The word of `address`; 0 if there is none.
  subscript(address: UInt) -> UInt {
    get {
      guard let addresses, let words else { return 0 }
      let cell = cell(of: address)
      return addresses[cell] == address ? words[cell] : 0
    }
    set {
      if newValue == 0 { return remove(address) }
      if (count + 1) * 2 > mask + 1 { grow() }
      guard let addresses, let words else { return }
      let cell = cell(of: address)
      if addresses[cell] == 0 { count += 1 }
      addresses[cell] = address
      words[cell] = newValue
    }
  }

  /// Frees the memory. The table must not be used afterwards.
  func deallocate() {
    addresses?.deallocate()
    words?.deallocate()
  }

  private func wanted(_ address: UInt) -> Int {
    Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  /// The cell of `address`, or the one where it would be put.
  private func cell(of address: UInt) -> Int {
    guard let addresses else { return 0 }
    var cell = wanted(address)
    while addresses[cell] != 0 && addresses[cell] != address { cell = (cell + 1) & mask }
    return cell
  }

  private mutating func remove(_ address: UInt) {
    guard let addresses, let words else { return }
    var free = cell(of: address)
    if addresses[free] == 0 { return }
    count -= 1
    // Entries behind the gap that were pushed on move up.
    var next = free
    while true {
      next = (next + 1) & mask
      if addresses[next] == 0 { break }
      let distance = (next - wanted(addresses[next])) & mask
      if distance < (next - free) & mask { continue }
      addresses[free] = addresses[next]
      words[free] = words[next]
      free = next
    }
    addresses[free] = 0
    // So that address 0, which free cells have, has no word.
    words[free] = 0
    // A table that was large gives its memory back.
    if count == 0 && mask >= 1024 {
      deallocate()
      self = AddressTable()
    }
  }

  private mutating func grow() {
    let old = (addresses: addresses, words: words, count: mask + 1)
    let room = max(8, old.count * 2)
    let added = UnsafeMutablePointer<UInt>.allocate(capacity: room)
    added.initialize(repeating: 0, count: room)
    addresses = added
    words = .allocate(capacity: room)
    words?.initialize(repeating: 0, count: room)
    mask = room - 1
    count = 0
    guard let oldAddresses = old.addresses, let oldWords = old.words else { return }
    for cell in 0..<old.count where oldAddresses[cell] != 0 {
      self[oldAddresses[cell]] = oldWords[cell]
    }
    oldAddresses.deallocate()
    oldWords.deallocate()
  }
}
