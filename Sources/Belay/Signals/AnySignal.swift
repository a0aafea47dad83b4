/// What the name of a signal begins with, and ends with.
package struct NameStem {
  let signal: AnySignal
  let end: Text

  init(_ signal: AnySignal, _ end: Text) {
    self.signal = signal
    self.end = end
  }
}

/// What a signal has whatever its values are: a name, and where its events come.
open class AnySignal: Entity, @unchecked Sendable {
  package private(set) final var givenName: Text?

  public override init() {
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

  public final override var valueKind: ValueKind { .signal }

  /// Where its events come. Set in the initializer.
  package final var route = Route()

  // Embedded Swift has no conversion of arrays.
  static func all<Value>(_ signals: [Signal<Value>]) -> [AnySignal] {
    var all: [AnySignal] = []
    for signal in signals { all.append(signal) }
    return all
  }

  /// How many operators it is made of, one upon the other. What asks each of them in its turn is
  /// asked only while `isShortEnough`.
  private final var length: UInt32 = 0

  /// The most operators that there may be between a source and a subscriber: they call each other,
  /// which takes stack.
  package static var mostOperators: Int { 1000 }

  package final var isShortEnough: Bool { length <= Self.mostOperators }

  /// What this stands on, and keeps.
  package private(set) final var below: AnySignal?
  #if !hasFeature(Embedded)
    // Here, too, so that a long row of signals goes with `NestedEnds`, and not one inside the other.
    // (In the Embedded build references.c sees to that.)
    private final var beside: [AnySignal] = []
  #endif

  /// It is one more operator upon `source`, which it keeps, and listens to `others`, too. From the
  /// initializer.
  package final func stands(on source: AnySignal?, with others: [AnySignal] = []) {
    if let source { length = source.length + 1 }
    below = source
    #if !hasFeature(Embedded)
      beside = others
    #endif
  }

  /// The name of a signal that is made of no other.
  package var builtName: Text { "signal" }

  /// For one that is: that other, and what comes after its name.
  package var stem: NameStem? { nil }

  /// The name that the chain gives it. Made in a loop, for chains are long; of what is further up
  /// than can be subscribed to nothing is told.
  package final var chainedName: Text {
    var ends: [Text] = []
    var signal: AnySignal = self
    while let stem = signal.stem {
      ends.append(stem.end)
      signal = stem.signal
      if ends.count > Self.mostOperators || signal.hasGivenName { break }
    }
    var name: Text =
      signal.givenName ?? (ends.count > Self.mostOperators ? "…" : signal.builtName)
    for end in ends.reversed() { name += end }
    return name
  }

  /// The signal's name in reports: the one set, or one built from its chain ("lines.filter.map").
  /// Set it before the signal is shared between threads.
  public final var name: Text {
    get { givenName ?? chainedName }
    set { givenName = newValue }
  }

  /// Gives back the name that the chain gives it.
  public final func resetName() { givenName = nil }

  // Not `!= nil`: unoptimised, that asks for the comparison of strings, and so for Unicode's
  // tables.
  package final var hasGivenName: Bool {
    if case .some = givenName { true } else { false }
  }

  /// The name for C; it lives as long as the signal.
  package final var nameCString: UnsafePointer<CChar> {
    let made = CText(name)
    return nameLock.withLock {
      for known in cNames where known.isSame(as: made.pointer) { return known.pointer }
      cNames.append(made)
      return made.pointer
    }
  }

  private let nameLock = Lock()
  private final var cNames: [CText] = []
}
