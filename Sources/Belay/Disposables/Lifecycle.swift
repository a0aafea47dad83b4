import CBelayShim
import Synchronization

/// The phases of an end, and marks that belong to them, in one word.
///
/// A phase is entered by `claim`, which one caller wins. Marks that belong to a phase are set by
/// the same claim, so a caller that loses sets nothing.
struct Lifecycle: ~Copyable {
  /// The phases of an end. Each is entered once, by one caller.
  struct Phases: OptionSet {
    let rawValue: UInt16
    /// No callback begins any more. The thread that claimed this phase sees the end through.
    static let closed = Phases(rawValue: 1)
    /// A thread has claimed the teardown.
    static let tearingDown = Phases(rawValue: 2)
    /// The teardown is over, and `disposed` has returned.
    static let tornDown = Phases(rawValue: 4)
    /// A thread has claimed the freeing of the context.
    static let freeing = Phases(rawValue: 8)
    /// The context has been freed, and nothing follows.
    static let finalised = Phases(rawValue: 16)

    /// All phases at once, for an end during which no other thread can be inside.
    static let all: Phases = [.closed, .tearingDown, .tornDown, .freeing, .finalised]
  }

  /// Facts beside the phase.
  struct Marks: OptionSet {
    let rawValue: UInt16
    /// A `Quiescence` waits for this.
    static let awaited = Marks(rawValue: 32)
    /// `container` and `cell` are reserved.
    static let enrolled = Marks(rawValue: 64)
    /// `container` and `cell` are valid.
    static let member = Marks(rawValue: 128)
    /// It is a member of further containers, which `Memberships` knows.
    static let memberOfMore = Marks(rawValue: 256)
    /// `cell` is a link's index in an emitter's buffer. Such a link is never in a container.
    static let indexed = Marks(rawValue: 512)
    /// Its home cannot be reached: a thread that finds no delivery inside tears it down.
    static let deferred = Marks(rawValue: 1024)
    /// A thread that is not at home connects it, and handles an end that comes meanwhile.
    static let starting = Marks(rawValue: 2048)
    /// A `ForeignSubscription`, which an emitter calls without a virtual call.
    static let callsDirectly = Marks(rawValue: 4096)
    /// Hangs on an emitter of its own home with nothing in between, and has no other home.
    static let direct = Marks(rawValue: 8192)
    /// `Quiescence` knows of parts that still ran when this was disposed of.
    static let hasParts = Marks(rawValue: 16384)
    /// An emitter's buffer holds it, or held it until it left.
    static let inserted = Marks(rawValue: 32768)
  }

  /// The word as it was at one moment.
  struct State {
    let bits: UInt16

    @inline(__always)
    func has(_ phase: Phases) -> Bool { bits & phase.rawValue != 0 }
    @inline(__always)
    func has(_ mark: Marks) -> Bool { bits & mark.rawValue != 0 }
    /// Whether an emitter may call it without a virtual call.
    @inline(__always)
    var isOpenToDirectCalls: Bool {
      let direct = Marks.callsDirectly.rawValue
      return bits & (Phases.closed.rawValue | direct) == direct
    }
    @inline(__always)
    func hasAny(of marks: Marks) -> Bool { bits & marks.rawValue != 0 }
  }

  private let word = Atomic<UInt16>(0)

  @inline(__always)
  var state: State { State(bits: word.load(ordering: .relaxed)) }

  /// The state as a delivery reads it, after it has published the callee.
  @inline(__always)
  var stateInDelivery: State { State(bits: word.load(ordering: .acquiring)) }

  /// Enters `phase`, and sets further phases and marks with it, unless `phase` has been entered or
  /// one of `obstacles` is set. Answers the former state to the one caller that succeeds, and nil
  /// to the others.
  @inline(never)
  func claim(
    _ phase: Phases, with more: Phases = [], _ marks: Marks = [], unless obstacles: Marks = []
  ) -> State? {
    let added = phase.rawValue | more.rawValue | marks.rawValue
    let bars = phase.rawValue | obstacles.rawValue
    if Explore.has(.raiseBeforeClaim) {
      let before = word.bitwiseOr(added, ordering: .acquiringAndReleasing).oldValue
      return before & bars != 0 ? nil : State(bits: before)
    }
    var before = word.load(ordering: .relaxed)
    if belay_shim_is_alone() {
      if before & bars != 0 { return nil }
      word.store(before | added, ordering: .relaxed)
      return State(bits: before)
    }
    while before & bars == 0 {
      let (isDone, seen) = word.weakCompareExchange(
        expected: before, desired: before | added, ordering: .acquiringAndReleasing)
      if isDone { return State(bits: before) }
      before = seen
    }
    return nil
  }

  /// Sets marks and answers the former state.
  @inline(never)
  func set(_ marks: Marks) -> State {
    if belay_shim_is_alone() {
      let before = word.load(ordering: .relaxed)
      word.store(before | marks.rawValue, ordering: .relaxed)
      return State(bits: before)
    }
    return State(bits: word.bitwiseOr(marks.rawValue, ordering: .acquiringAndReleasing).oldValue)
  }

  /// Clears marks and answers the former state.
  @inline(never)
  func clear(_ marks: Marks) -> State {
    State(bits: word.bitwiseAnd(~marks.rawValue, ordering: .acquiringAndReleasing).oldValue)
  }

  /// Sets marks before other threads know the object.
  @inline(__always)
  func begin(with marks: Marks) {
    word.store(word.load(ordering: .relaxed) | marks.rawValue, ordering: .relaxed)
  }
}
