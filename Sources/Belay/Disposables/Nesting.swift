/// Finds out whether a compound is inside of another one, at any depth.
///
/// The outer nest may be large while the inner compound is in few containers, or the reverse. So
/// two searches, down from the outer one and up from the inner one, take turns, and the one that
/// ends first gives the answer. So a nest that is built in any order takes nearly linear time.
struct Nesting: ~Copyable {
  private var found: ReferenceArray<CompoundCore> = []
  // By address, because a search can meet the same compound on several ways.
  private var known = AddressTable()

  private init(from start: CompoundCore) { found.append(start) }

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
    // How much each search has looked at. The search up goes first, because it is cheaper.
    var work = 64
    var workAbove = 0
    while let next = down.found.last {
      if workAbove <= work {
        guard let above = up.found.popLast() else { return false }
        above.noteHolders(in: &up)
        workAbove += 1
        // `inner` has been in `outer`. Whether it still is, only the search down can tell.
        if above === outer { workAbove = .max }
        continue
      }
      if next === inner { return true }
      _ = down.found.popLast()
      work += 1 + next.memberCount
      next.forEachMember { if let core = $0.core { down.note(core) } }
    }
    return false
  }
}

extension Disposable {
  /// The core of a compound; nil for everything else.
  var core: CompoundCore? { (self as? CompoundDisposable)?.members }

  /// Notes every container that this is in, and perhaps some that it has left.
  final func noteHolders(in nesting: inout Nesting) {
    // The mark is set after the membership, so with the mark the membership is valid.
    let life = lifecycle.stateInDelivery
    if life.has(.memberOfMore) { Memberships.noteContainers(of: self, in: &nesting) }
    if life.has(.member), let first = firstContainer { nesting.note(first) }
  }
}
