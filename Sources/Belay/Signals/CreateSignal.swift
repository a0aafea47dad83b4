/// Runs a producer once for each subscription.
final class CreateSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let options: SourceOptions
  private let producer: (Subscriber<Value>) -> Disposable?

  init(_ options: SourceOptions, _ producer: @escaping (Subscriber<Value>) -> Disposable?) {
    self.options = options
    self.producer = producer
    super.init()
  }

  override var arrival: Arrival {
    if !options.isShared { return .atSource }
    return options.prefersHops ? .atLoopElseAnywhere : .anywhere
  }
  override var builtName: Text { options.label?.text ?? "create" }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    // What is sent on any thread comes to the subscription's home, if that is any thread's, too.
    let own = !options.isShared || home.isShared ? home : nil
    let emitter = ColdEmitter<Value>(options, at: own, room: 1)
    let code = emitter.attach(sink, at: home)
    if code.isFailure { return code }
    let subscriber = Subscriber(emitter)
    if let teardown = producer(subscriber) { emitter.addTeardown(teardown) }
    return .ok
  }
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
    CreateSignal(options, producer)
  }
}
