/// Runs a producer once for each subscription.
open class CreateSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let options: SourceOptions
  /// Whether it lives until each subscription has ended and is torn down: what the producer's
  /// callbacks use is the signal's.
  private let staysForTeardown: Bool

  public init(_ options: SourceOptions, staysForTeardown: Bool = false) {
    self.options = options
    self.staysForTeardown = staysForTeardown
    super.init()
    if options.isShared {
      route = Route(options.prefersHops ? .atLoopElseAnywhere : .anywhere)
    }
  }

  /// The producer.
  open func produce(_ subscriber: Subscriber<Value>) -> Disposable? { nil }

  package final override var builtName: Text { options.label?.text ?? "create" }

  package final override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    // What is sent on any thread comes to the subscription's home, if that is any thread's, too.
    let emitter = ColdEmitter<Value>(
      options, at: !options.isShared || home.isShared ? home : nil, room: 1)
    if staysForTeardown { emitter.signal = self }
    let code = emitter.attachFirst(sink, at: home)
    if code.isFailure { return code }
    let subscriber = Subscriber(consume emitter)
    if let teardown = produce(subscriber) { subscriber.add(teardown) }
    return .ok
  }
}

/// The same for a producer that is a closure.
private final class ClosureCreateSignal<Value>: CreateSignal<Value>, @unchecked Sendable {
  private let producer: (Subscriber<Value>) -> Disposable?

  init(_ options: SourceOptions, _ producer: @escaping (Subscriber<Value>) -> Disposable?) {
    self.producer = producer
    super.init(options)
  }

  override func produce(_ subscriber: Subscriber<Value>) -> Disposable? { producer(subscriber) }
}

extension Signal {
  /// A cold signal: `producer` runs once for each subscription, at its home.
  ///
  /// The subscriber may be kept and used later, from any thread; the subscription is interrupted
  /// when the last reference to it goes without an end. The disposable that the producer returns
  /// is disposed when the subscription ends, at once if that has happened by then.
  public static func create(
    _ options: SourceOptions = SourceOptions(),
    _ producer: @escaping (Subscriber<Value>) -> Disposable?
  ) -> Signal<Value> {
    ClosureCreateSignal(options, producer)
  }
}
