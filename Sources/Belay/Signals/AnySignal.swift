/// The two parts of the name that an operator's signal has by itself.
package struct NameStem {
  /// The signal whose name comes first.
  let signal: AnySignal
  let end: Text

  init(_ signal: AnySignal, _ end: Text) {
    self.signal = signal
    self.end = end
  }
}

/// The part of a signal that does not depend on the type of its values: its name and its route.
open class AnySignal: Entity, @unchecked Sendable {
  package private(set) final var givenName: Text?

  @_spi(Engine) public override init() {
    super.init()
    Live.signals.began()
  }

  deinit {
    #if !hasFeature(Embedded)
      NestedEnds.letGo(of: &below)
      while !beside.isEmpty {
        var other: AnySignal? = beside.removeLast()
        NestedEnds.letGo(of: &other)
      }
    #endif
    Live.signals.ended()
  }

  @_spi(Engine) public final override var valueKind: ValueKind { .signal }

  /// The homes at which its events arrive. Set in the initializer.
  package final var route = Route()

  /// The bound of the queues of this signal's own operator, if it keeps any. Set in the initializer.
  final var queueLimit: QueueLimit?

  /// The source that a subject, a group or a property's signal stands for.
  package var ownSource: Source? { nil }

  // Embedded Swift has no conversion of arrays. References are alike, whatever their class is.
  static func all<Value>(_ signals: [Signal<Value>]) -> [AnySignal] {
    unsafeBitCast(signals, to: [AnySignal].self)
  }

  /// The number of operators from the source down to this signal. Code that calls each of them in
  /// turn runs only if `isShortEnough`.
  private final var length: UInt32 = 0

  /// The largest number of operators between a source and a subscriber. Operators call each other,
  /// which takes stack.
  package static var mostOperators: Int { 1000 }

  /// The classes that are asked for at a subscription or an event. A cast would take longer than what it
  /// saves there.
  package enum Form: UInt8 { case other, just, publishSubject }
  package final var form = Form.other

  package final var isShortEnough: Bool { length <= Self.mostOperators }

  /// The signal of which this is an operator. Retained.
  package private(set) final var below: AnySignal?
  #if !hasFeature(Embedded)
    // Retained here too, so that `NestedEnds` releases a long chain of signals in a loop, and not one
    // inside another. (In the Embedded build, references.c does that.)
    private final var beside: [AnySignal] = []
  #endif

  /// Makes this an operator on `source`, which it retains. It also subscribes to `others`. Called by
  /// the initializer.
  package final func stands(on source: AnySignal?, with others: [AnySignal] = []) {
    if let source { length = source.length + 1 }
    below = source
    #if !hasFeature(Embedded)
      beside = others
    #endif
  }

  /// The name of a signal that is no operator's.
  package var builtName: Text { "signal" }

  /// For an operator's signal: the parts of its name.
  package var stem: NameStem? { nil }

  /// The name that is made from the chain. A loop makes it, because chains may be long. It leaves out
  /// the signals above the largest chain that can be subscribed to.
  package final var chainedName: Text {
    var below: ReferenceArray<AnySignal> = []
    var signal: AnySignal = self
    while let stem = signal.stem {
      below.append(signal)
      signal = stem.signal
      if below.count > Self.mostOperators || signal.hasGivenName { break }
    }
    var name: Text =
      signal.givenName ?? (below.count > Self.mostOperators ? "…" : signal.builtName)
    while let stem = below.popLast()?.stem { name += stem.end }
    return name
  }

  /// The signal's name in reports: the one that was set, or else one that is made from its chain
  /// ("lines.filter.map"). Set it before the signal is shared between threads.
  public final var name: Text {
    get { givenName ?? chainedName }
    set { givenName = newValue }
  }

  /// Restores the name that is made from the chain.
  public final func resetName() { givenName = nil }

  // Not `!= nil`, because without optimisation that links the comparison of strings, and with it
  // Unicode's tables.
  package final var hasGivenName: Bool {
    if case .some = givenName { true } else { false }
  }

  /// The name for C, which exists as long as the signal.
  package final var nameCString: UnsafePointer<CChar> {
    let made = CText(name)
    return nameLock.withLock {
      for known in cNames where known.isSame(as: made.pointer) { return known.pointer }
      cNames.append(made)
      return made.pointer
    }
  }

  private let nameLock = Lock()
  private final var cNames: ReferenceArray<CText> = []
}
