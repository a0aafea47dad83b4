/// Finds out whether a compound is in another one, however deep.
///
/// A nest may be large, and a compound in few others, or the other way round. So this goes down from
/// the one and up from the other in turns, and the way that ends first answers: a nest that is put
/// together in any order takes near linear time.
struct Nesting: ~Copyable {
  private var found: [CompoundCore]
  // By address; the same compound may be met on several ways.
  private var known = AddressTable()

  private init(from start: CompoundCore) { found = [start] }

  deinit { known.deallocate() }

  mutating func note(_ core: CompoundCore) {
    let address = UInt(bitPattern: Unmanaged.passUnretained(core).toOpaque())
    if known[address] != 0 { return }
    known[address] = 1
    found.append(core)
  }

  /// Whether `inner` is `outer`, or in it.
  static func holds(_ outer: CompoundCore, _ inner: CompoundCore) -> Bool {
    var down = Nesting(from: outer)
    var up = Nesting(from: inner)
    // What is looked at by each. The way up has a start, for it is the cheaper one.
    var work = 64
    var workAbove = 0
    while let next = down.found.last {
      if workAbove <= work {
        guard let above = up.found.popLast() else { return false }
        above.noteHolders(in: &up)
        workAbove += 1
        // It has been there at least. Whether it is, the way down tells.
        if above === outer { workAbove = .max }
        continue
      }
      if next === inner { return true }
      down.found.removeLast()
      work += 1 + next.memberCount
      next.forEachMember { if let core = $0.core { down.note(core) } }
    }
    return false
  }
}

extension Disposable {
  /// The core of a compound; nil for everything else.
  var core: CompoundCore? { (self as? CompoundDisposable)?.members }

  /// Notes every container that this is in, and maybe some that it was in.
  final func noteHolders(in nesting: inout Nesting) {
    // Set after the place of the first one.
    let life = lifecycle.stateInDelivery
    if life.has(.memberOfMore) { Memberships.noteContainers(of: self, in: &nesting) }
    if life.has(.member), let first = firstContainer { nesting.note(first) }
  }
}
