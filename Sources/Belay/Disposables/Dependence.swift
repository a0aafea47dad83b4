/// Says that something is not quiescent before `target` is: a wait, or a whole that the target is a
/// part of.
final class Dependence {
  let target: Disposable
  /// The wait; nil if a whole depends on the target.
  let wait: Quiescence?
  /// The address of the wait or of the whole. A whole is not retained: it removes its dependences
  /// when it is deallocated.
  let dependent: UnsafeMutableRawPointer
  /// Whether the whole is to stay in its containers while this part runs.
  let runs: Bool
  /// The whole, while it stays there.
  var held: Disposable?
  private var inTargetsList = Neighbours()
  private var inDependentsList = Neighbours()

  /// `wait` waits for `target`.
  init(of wait: Quiescence, on target: Disposable) {
    self.target = target
    self.wait = wait
    dependent = Unmanaged.passUnretained(wait).toOpaque()
    runs = false
  }

  /// `part` is a part of `whole`.
  init(of whole: Disposable, on part: Disposable, runs: Bool) {
    target = part
    wait = nil
    dependent = Unmanaged.passUnretained(whole).toOpaque()
    self.runs = runs
  }

  /// The neighbours in a list. The first one has the last one in front of it.
  fileprivate struct Neighbours {
    unowned(unsafe) var next: Dependence?
    unowned(unsafe) var previous: Dependence?
  }

  /// The next one of the same dependent.
  var next: Dependence? { inDependentsList.next }

  fileprivate func key(_ side: Dependences.Side) -> UnsafeMutableRawPointer {
    side == .target ? Unmanaged.passUnretained(target).toOpaque() : dependent
  }

  fileprivate subscript(side: Dependences.Side) -> Neighbours {
    get { side == .target ? inTargetsList : inDependentsList }
    set { if side == .target { inTargetsList = newValue } else { inDependentsList = newValue } }
  }
}

/// Dependences in lists, one for each target and one for each dependent, in the order of adding. So
/// a disposable with thousands of parts finds each of them at once.
struct Dependences {
  enum Side { case target, dependent }

  /// The first dependence of each list.
  private var byTarget = AddressTable()
  private var byDependent = AddressTable()

  /// Those that have `address` as their target or dependent. In a walk over them, the one that the
  /// walk is at may be removed.
  func list(_ side: Side, _ address: UnsafeMutableRawPointer) -> List {
    let first = (side == .target ? byTarget : byDependent)[UInt(bitPattern: address)]
    return List(side: side, following: Self.dependence(first))
  }

  mutating func append(_ dependence: __owned Dependence) {
    Self.append(dependence, .target, to: &byTarget)
    Self.append(dependence, .dependent, to: &byDependent)
    _ = Unmanaged.passRetained(dependence)
  }

  /// Takes `dependence` out. The caller releases it, outside of a lock.
  mutating func take(_ dependence: Dependence) -> Dependence {
    Self.remove(dependence, .target, from: &byTarget)
    Self.remove(dependence, .dependent, from: &byDependent)
    return Unmanaged.passUnretained(dependence).takeRetainedValue()
  }

  private static func dependence(_ word: UInt) -> Dependence? {
    UnsafeMutableRawPointer(bitPattern: word).map {
      Unmanaged<Dependence>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private static func word(_ dependence: Dependence?) -> UInt {
    dependence.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
  }

  @inline(never)
  private static func append(_ dependence: Dependence, _ side: Side, to firsts: inout AddressTable)
  {
    let key = UInt(bitPattern: dependence.key(side))
    guard let first = Self.dependence(firsts[key]) else {
      dependence[side].previous = dependence
      firsts[key] = word(dependence)
      return
    }
    let last = first[side].previous
    dependence[side].previous = last
    last?[side].next = dependence
    first[side].previous = dependence
  }

  @inline(never)
  private static func remove(
    _ dependence: Dependence, _ side: Side, from firsts: inout AddressTable
  ) {
    let key = UInt(bitPattern: dependence.key(side))
    let beside = dependence[side]
    let first = Self.dependence(firsts[key])
    if first === dependence {
      firsts[key] = word(beside.next)
    } else {
      beside.previous?[side].next = beside.next
    }
    // If this was the last one, the first one notes the new last one as its `previous`.
    (beside.next ?? first)?[side].previous = beside.previous
  }

  /// A walk over a list.
  struct List: Sequence, IteratorProtocol {
    fileprivate let side: Side
    fileprivate var following: Dependence?

    mutating func next() -> Dependence? {
      let found = following
      following = found?[side].next
      return found
    }
  }
}
