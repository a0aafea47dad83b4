/// The signal of an operator with one source. It makes a stage for each subscription.
final class OperatorSignal<Input, Output>: Signal<Output>, @unchecked Sendable {
  // Retained by `stands(on:)`.
  private unowned(unsafe) let source: Signal<Input>
  private let operatorName: StaticString
  // Optional only for `deinit`, which releases it before the signals that it also retains.
  private var makeStage: ((Sink<Output>) -> Stage<Input, Output>)!

  init(
    _ source: Signal<Input>, _ operatorName: StaticString, startsAnywhere: Bool,
    with others: [AnySignal], bound limit: QueueLimit?,
    _ makeStage: @escaping (Sink<Output>) -> Stage<Input, Output>
  ) {
    self.source = source
    self.operatorName = operatorName
    self.makeStage = makeStage
    super.init()
    queueLimit = limit
    stands(on: source, with: others)
    route =
      startsAnywhere ? source.route.listening : Route(.joined(source, others), below: source.route)
  }

  #if !hasFeature(Embedded)
    deinit { makeStage = nil }
  #endif

  override var stem: NameStem? { NameStem(source, "." + operatorName.string) }

  override func attach(_ sink: Sink<Output>, at home: Home) -> Code {
    let stage = makeStage(sink)
    queueLimit?.begin()
    stage.operatorName = StaticSite(operatorName)
    sink.upstream = stage
    let refusal = stage.attach(to: source, at: home)
    // Otherwise the stage and the sink below would retain each other for ever.
    if refusal.isFailure { sink.upstream = nil }
    return refusal
  }
}

extension Signal {
  /// A signal that runs the events of this one through a new stage for each subscription.
  ///
  /// - Parameter startsAnywhere: whether the stage may be attached on another thread than that of the
  ///   subscription's home. False for a stage that does more than connect to its source.
  @inline(never)
  @_spi(Engine) public final func lift<Output>(
    _ operatorName: StaticString, startsAnywhere: Bool = true, with others: [AnySignal] = [],
    _ makeStage: @escaping (Sink<Output>) -> Stage<Value, Output>
  ) -> Signal<Output> {
    OperatorSignal(
      self, operatorName, startsAnywhere: startsAnywhere, with: others, bound: nil, makeStage)
  }

  /// The same for a stage that keeps a queue. It gets the bound of it.
  @inline(never)
  final func lift<Output>(
    bounded operatorName: StaticString, startsAnywhere: Bool = true, with others: [AnySignal] = [],
    _ makeStage: @escaping (Sink<Output>, QueueLimit) -> Stage<Value, Output>
  ) -> Signal<Output> {
    let limit = QueueLimit(operatorName)
    return OperatorSignal(
      self, operatorName, startsAnywhere: startsAnywhere, with: others, bound: limit
    ) { makeStage($0, limit) }
  }
}
