/// What a signal has whatever its values are: a name, and the home where its events land.
open class AnySignal: Entity, @unchecked Sendable {
  package private(set) final var givenName: Text?

  public override init() {
    super.init()
    Live.signals.began()
  }

  deinit { Live.signals.ended() }

  public final override var valueKind: ValueKind { .signal }

  /// The home to which events are carried, whatever was asked for (`observe(on:)`); nil: none.
  package var landingHome: Home? { nil }

  /// Whether all that is below that change-over only listens, so that it can be attached on any
  /// thread.
  package var startsFromAfar: Bool { false }

  /// Whether whoever has no loop gets events on their sender's thread.
  package var comesAnywhere: Bool { false }

  /// The name that the chain gives it.
  package var builtName: Text { "signal" }

  /// The signal's name in reports: the one set, or one built from its chain ("lines.filter.map").
  /// Set it before the signal is shared between threads.
  public final var name: Text {
    get { givenName ?? builtName }
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
