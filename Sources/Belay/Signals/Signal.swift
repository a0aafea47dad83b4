/// A stream of values: `next* (error | completed)?`.
///
/// A cold signal runs its producer once for each subscription; a hot one sends to whoever is
/// subscribed. A subscription's callbacks all run at its home (`Home`), in the order of ReactiveX;
/// see docs/architecture.md.
open class Signal<Value>: Entity, @unchecked Sendable {
  private var givenName: String?

  public override init() {
    super.init()
    Live.signals.began()
  }

  deinit { Live.signals.ended() }

  public final override var valueKind: ValueKind { .signal }

  /// Connects `sink` to the running source, at `home`, on whose thread this is called. On a
  /// failure nothing has been sent, and the sink is not attached.
  package func attach(_ sink: Sink<Value>, at home: Home) -> Code { .invalid }

  /// The name that the chain gives it.
  package var builtName: String { "signal" }

  /// The signal's name in reports: the one set, or one built from its chain ("lines.filter.map").
  /// Set it before the signal is shared between threads.
  public final var name: String {
    get { givenName ?? builtName }
    set { givenName = newValue }
  }

  /// Gives back the name that the chain gives it.
  public final func resetName() { givenName = nil }

  /// The name for C; it lives as long as the signal.
  package final var nameCString: UnsafePointer<CChar> {
    let name = name
    return nameLock.withLock {
      for known in cNames where known.matches(name) { return known.pointer }
      let made = CText(name)
      cNames.append(made)
      return made.pointer
    }
  }

  private let nameLock = Lock()
  private var cNames: [CText] = []

  /// This as a subject, without asking the runtime.
  package var asSubject: PublishSubject<Value>? { nil }

  /// Starts `subscription` at `home`, or, if that is another thread's, has it started there.
  package final func start(_ subscription: Subscription<Value>, at home: Home) -> Code {
    if home.isCurrent {
      let code = attach(subscription, at: home)
      if code.isFailure { subscription.abandonStart() }
      return code
    }
    if !home.acceptsMail {
      subscription.abandonStart()
      return .noHome
    }
    let code = home.post(Letter(to: Start(self, subscription, home), .work), reserved: true)
    return code.isFailure ? code : .ok
  }
}

/// A subscription on its way to its home.
private final class Start<Value>: Entity, @unchecked Sendable {
  private let signal: Signal<Value>
  private let subscription: Subscription<Value>
  private let home: Home

  init(_ signal: Signal<Value>, _ subscription: Subscription<Value>, _ home: Home) {
    self.signal = signal
    self.subscription = subscription
    self.home = home
  }

  public override func receive(_ letter: inout Letter) {
    if subscription.isDisposed { return }
    let code = signal.attach(subscription, at: home)
    if code.isFailure { subscription.enterEnd(.failed(Failure(code))) }
  }

  public override func refuse(_ letter: inout Letter) { subscription.enterEnd(.interrupted) }
}
