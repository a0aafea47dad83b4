import CBelayShim
import Synchronization

/// The phases through which everything that begins also ends, and marks that go with them, in one
/// word.
///
/// A phase is entered by `claim`, which one caller wins. Whatever has to be set together with a
/// phase is set by the same claim, so nothing is ever set by a caller that lost.
struct Lifecycle: ~Copyable {
  struct Phases: OptionSet {
    let rawValue: UInt16
    /// No callback begins any more. Whoever claimed it sees the end through.
    static let closed = Phases(rawValue: 1)
    /// Somebody has taken on the teardown.
    static let tearingDown = Phases(rawValue: 2)
    /// The teardown and `disposed` are over.
    static let tornDown = Phases(rawValue: 4)
    /// Somebody has taken on the freeing of the context.
    static let freeing = Phases(rawValue: 8)
    /// Nothing follows: the context has been freed.
    static let finalised = Phases(rawValue: 16)

    /// All of an end that nobody else can be inside of.
    static let all: Phases = [.closed, .tearingDown, .tornDown, .freeing, .finalised]
  }

  /// What is true of a thing beside its phase.
  struct Marks: OptionSet {
    let rawValue: UInt16
    /// Somebody waits for this to become quiescent.
    static let awaited = Marks(rawValue: 32)
    /// `container` and `slot` are taken.
    static let enrolled = Marks(rawValue: 64)
    /// `container` and `slot` are valid.
    static let member = Marks(rawValue: 128)
    /// It is a member of further containers, which `Memberships` knows.
    static let memberOfMore = Marks(rawValue: 256)
    /// `slot` is a link's place in an emitter's buffer. Such a link is never in a container.
    static let placed = Marks(rawValue: 512)
    /// Its home cannot be reached: the thread that finds nobody inside tears it down.
    static let deferred = Marks(rawValue: 1024)
    /// Another thread than its home's connects it, and sees to the end that comes meanwhile.
    static let starting = Marks(rawValue: 2048)
    /// A `ForeignSubscription`, which an emitter calls without asking its class.
    static let callsDirectly = Marks(rawValue: 4096)
    /// Hangs on an emitter of its own home with nothing between, and has no other home.
    static let direct = Marks(rawValue: 8192)
    /// `Quiescence` knows of parts that ran still when this was disposed of.
    static let hasParts = Marks(rawValue: 16384)
    /// An emitter's buffer holds it, or did so until it left.
    static let inserted = Marks(rawValue: 32768)
  }

  /// The word at one moment.
  struct State {
    let bits: UInt16

    @inline(__always)
    func has(_ phase: Phases) -> Bool { bits & phase.rawValue != 0 }
    @inline(__always)
    func has(_ mark: Marks) -> Bool { bits & mark.rawValue != 0 }
    /// Whether an emitter may call it, without asking its class.
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

  /// The state as a delivery looks at it, after it has been published.
  @inline(__always)
  var stateInDelivery: State { State(bits: word.load(ordering: .acquiring)) }

  /// Enters `phase`, unless somebody has, or one of `obstacles` is set; with it sets further phases
  /// and marks. Answers with the state before for the one caller who wins, else nil.
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

  /// Sets marks; answers with the state before.
  @inline(never)
  func set(_ marks: Marks) -> State {
    if belay_shim_is_alone() {
      let before = word.load(ordering: .relaxed)
      word.store(before | marks.rawValue, ordering: .relaxed)
      return State(bits: before)
    }
    return State(bits: word.bitwiseOr(marks.rawValue, ordering: .acquiringAndReleasing).oldValue)
  }

  /// Takes marks away; answers with the state before.
  @inline(never)
  func clear(_ marks: Marks) -> State {
    State(bits: word.bitwiseAnd(~marks.rawValue, ordering: .acquiringAndReleasing).oldValue)
  }

  /// Sets marks before anybody else knows this.
  @inline(__always)
  func begin(with marks: Marks) {
    word.store(word.load(ordering: .relaxed) | marks.rawValue, ordering: .relaxed)
  }
}
