/// The members of a container, in the order of adding, as cells that are linked by their numbers.
///
/// A key is a cell's number and its generation, so an old key never names a new member. It finds
/// only what has been marked: no key takes out what the library has put into an owner. The table
/// has a reference to each member, and hands it to the caller that takes the member out.
///
/// It must not move in memory, because pointers to `own` are made of it. So it is a field of a
/// class.
struct MemberTable: ~Copyable {
  /// The content of a cell.
  enum Content {
    case nothing
    case member(Unmanaged<Disposable>)
    case action(ForeignAction)
  }

  /// A numbered element of the table, linked to its neighbours in the order of adding.
  private struct Cell {
    var content: Content
    var previous: UInt32
    var next: UInt32
    var generation: UInt32
  }

  private static var none: UInt32 { UInt32.max }

  /// In a cell's generation: its key finds it. No key has it.
  private static var marked: UInt32 { 1 << 31 }

  private var cells = Cells()
  private var first = MemberTable.none
  private var last = MemberTable.none
  private var free = MemberTable.none
  private var held: UInt32 = 0

  var count: Int { Int(held) }

  /// Whether nothing has ever been inserted, so that `insertFirst` may be used.
  @inline(__always)
  var isUnused: Bool { cells.used == 0 }

  /// `insert` for an unused table: a few stores.
  @inline(__always)
  mutating func insertFirst(_ content: Content) -> UInt64 {
    cells.begin(with: Cell(content: content, previous: Self.none, next: Self.none, generation: 1))
    first = 0
    last = 0
    held = 1
    return 1 << 32
  }

  @_optimize(speed)
  mutating func insert(_ content: Content) -> (cell: UInt32, key: UInt64) {
    var cell = free
    if cell == Self.none {
      cell = cells.add()
    } else {
      free = cells[cell].pointee.next
    }
    let entry = cells[cell]
    entry.pointee.content = content
    entry.pointee.previous = last
    entry.pointee.next = Self.none
    if last == Self.none { first = cell } else { cells[last].pointee.next = cell }
    last = cell
    held &+= 1
    return (cell, UInt64(entry.pointee.generation) << 32 | UInt64(cell))
  }

  /// Takes the content out of `cell`.
  mutating func remove(_ cell: UInt32) -> Content {
    let entry = cells.cell(cell)
    let (previous, next) = (entry.pointee.previous, entry.pointee.next)
    if previous == Self.none { first = next } else { cells.cell(previous).pointee.next = next }
    if next == Self.none { last = previous } else { cells.cell(next).pointee.previous = previous }
    let content = entry.pointee.content
    entry.pointee.content = .nothing
    held &-= 1
    entry.pointee.generation &= ~Self.marked
    // A cell that has used all its generations stays empty.
    if entry.pointee.generation < Self.marked - 1 {
      entry.pointee.generation += 1
      entry.pointee.next = free
      free = cell
    }
    return content
  }

  /// Takes out the oldest content.
  mutating func takeFirst() -> Content? { first == Self.none ? nil : remove(first) }

  /// Lets `key` find its content, if that is still there.
  mutating func mark(_ key: UInt64) {
    if let cell = cell(of: key, mark: 0) { cells.cell(cell).pointee.generation |= Self.marked }
  }

  /// The cell of `key`, if its content is marked, and still there.
  mutating func cell(of key: UInt64) -> UInt32? { cell(of: key, mark: Self.marked) }

  private mutating func cell(of key: UInt64, mark: UInt32) -> UInt32? {
    let cell = UInt32(truncatingIfNeeded: key)
    let generation = UInt32(key >> 32)
    guard generation < Self.marked, cell < cells.used,
      cells.cell(cell).pointee.generation == generation | mark
    else { return nil }
    if case .nothing = cells.cell(cell).pointee.content { return nil }
    return cell
  }

  mutating func holds(_ member: Disposable, at cell: UInt32) -> Bool {
    guard cell < cells.used, case .member(let held) = cells.cell(cell).pointee.content else {
      return false
    }
    return held.toOpaque() == Unmanaged.passUnretained(member).toOpaque()
  }

  /// The first cell of a walk in the order of adding.
  @inline(__always)
  var start: UInt32 { first }

  /// The content of the oldest cell, in the last walk over the table, during which only this may be
  /// called.
  @inline(__always)
  mutating func popFirst() -> Content? {
    if first == Self.none { return nil }
    let entry = cells[first]
    first = entry.pointee.next
    return entry.pointee.content
  }

  /// The content of a cell in a walk, which then goes on to the next cell; nil at the end. The
  /// function is mutating because Swift would otherwise copy the table to read it.
  @inline(__always)
  mutating func content(at cell: inout UInt32) -> Content? {
    if cell == Self.none { return nil }
    let entry = cells.cell(cell)
    cell = entry.pointee.next
    return entry.pointee.content
  }

  /// Frees the memory. The table must be empty, and is not used again.
  mutating func deallocate() { cells.deallocate() }

  /// The cells by number: one in place, the others in blocks. So a growing container is not copied,
  /// and is not freed in one large piece, after which malloc would consolidate all that was freed
  /// before.
  private struct Cells: ~Copyable {
    typealias Block = UnsafeMutablePointer<Cell>

    private static var room: UInt32 { 64 }

    private(set) var used: UInt32 = 0
    /// The number of cells that there is memory for besides `own`.
    private var capacity: UInt32 = 0
    /// The cells from 1 to `room - 1`, counted from 0. It begins with one cell, because an owner
    /// of two subscriptions is frequent, and most containers need no further block.
    private var firstBlock: Block?
    private var more: UnsafeMutablePointer<Block>?
    /// Cell 0, so that a single member needs no memory.
    private var own = Cell(content: .nothing, previous: 0, next: 0, generation: 1)

    @inline(__always)
    subscript(cell: UInt32) -> Block {
      mutating get {
        if cell &- 1 < Self.room &- 1 {
          return firstBlock.unsafelyUnwrapped + Int(cell &- 1)
        }
        // The table does not move, so the pointer stays valid.
        if cell == 0 { return withUnsafeMutablePointer(to: &own) { $0 } }
        return more.unsafelyUnwrapped[Int(cell / Self.room &- 1)] + Int(cell % Self.room)
      }
    }

    /// As the subscript, where shorter code matters more than a call.
    @inline(never)
    mutating func cell(_ cell: UInt32) -> Block { self[cell] }

    @inline(__always)
    mutating func add() -> UInt32 {
      if used > capacity { makeRoom() }
      used &+= 1
      return used &- 1
    }

    /// Adds the first cell.
    @inline(__always)
    mutating func begin(with cell: Cell) {
      own = cell
      used = 1
    }

    @inline(__always)
    mutating func deallocate() { if capacity > 0 { freeBlocks() } }

    @inline(never)
    private mutating func freeBlocks() {
      firstBlock?.deallocate()
      guard let more else { return }
      for block in 0..<Int(capacity / Self.room) { more[block].deallocate() }
      more.deallocate()
    }

    @inline(never)
    private mutating func makeRoom() {
      if capacity < Self.room - 1 {
        let larger: UInt32 = capacity == 0 ? 1 : capacity == 1 ? 11 : Self.room - 1
        let block = Self.moved(firstBlock, capacity, toRoomFor: larger)
        firstBlock?.deallocate()
        firstBlock = block
        begin(block + Int(capacity), larger - capacity)
        capacity = larger
      } else {
        addBlock(capacity / Self.room)
        capacity += Self.room
      }
    }

    private mutating func addBlock(_ block: UInt32) {
      // There is room for 4, 8, 16, … blocks.
      if block == 0 || block >= 4 && block & (block - 1) == 0 {
        let longer = Self.moved(more, block, toRoomFor: max(4, block * 2))
        more?.deallocate()
        more = longer
      }
      let added = Block.allocate(capacity: Int(Self.room))
      more.unsafelyUnwrapped[Int(block)] = added
      begin(added, Self.room)
    }

    /// Sets the generation of cells that were never used.
    private func begin(_ cells: Block, _ count: UInt32) {
      for cell in 0..<Int(count) { cells[cell].generation = 1 }
    }

    /// Copies `elements` into larger memory. The caller deallocates the old one.
    private static func moved<Element>(
      _ elements: UnsafeMutablePointer<Element>?, _ count: UInt32, toRoomFor room: UInt32
    ) -> UnsafeMutablePointer<Element> {
      let larger = UnsafeMutablePointer<Element>.allocate(capacity: Int(room))
      if let elements { larger.moveInitialize(from: elements, count: Int(count)) }
      return larger
    }
  }
}
