/// A hash table of records by the addresses of their objects: open addressing, at most half full.
struct RecordTable: ~Copyable {
  typealias Cell = Unmanaged<NativeOwnerRecord>?

  private var cells: UnsafeMutableBufferPointer<Cell>
  private(set) var count = 0

  init() {
    cells = .allocate(capacity: 8)
    cells.initialize(repeating: nil)
  }

  deinit { cells.deallocate() }

  /// The index of `address`, or the free index where it belongs.
  private func place(of address: UInt) -> Int {
    let mask = cells.count - 1
    var place = Self.ideal(address) & mask
    while let held = cells[place], Self.address(of: held) != address {
      place = (place + 1) & mask
    }
    return place
  }

  private static func ideal(_ address: UInt) -> Int {
    Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 24)
  }

  private static func address(of record: Unmanaged<NativeOwnerRecord>) -> UInt {
    record._withUnsafeGuaranteedRef { UInt(bitPattern: $0.object) }
  }

  /// The record of `address`.
  subscript(address: UInt) -> Unmanaged<NativeOwnerRecord>? { cells[place(of: address)] }

  /// Inserts `record`, whose address is not in the table. Takes over the caller's reference.
  mutating func insert(_ record: Unmanaged<NativeOwnerRecord>) {
    if (count + 1) * 2 > cells.count { grow() }
    cells[place(of: Self.address(of: record))] = record
    count += 1
  }

  /// Takes out the record of `address`; nil if there is none.
  mutating func remove(_ address: UInt) -> Unmanaged<NativeOwnerRecord>? {
    var hole = place(of: address)
    guard let removed = cells[hole] else { return nil }
    count -= 1
    let mask = cells.count - 1
    var place = (hole + 1) & mask
    // Entries behind the hole that were pushed on move up, so that no search for them meets a hole.
    while let held = cells[place] {
      let walked = (place - Self.ideal(Self.address(of: held))) & mask
      if walked >= (place - hole) & mask {
        cells[hole] = held
        hole = place
      }
      place = (place + 1) & mask
    }
    cells[hole] = nil
    return removed
  }

  private mutating func grow() {
    let old = cells
    cells = .allocate(capacity: old.count * 2)
    cells.initialize(repeating: nil)
    for case let held? in old { cells[place(of: Self.address(of: held))] = held }
    old.deallocate()
  }
}
