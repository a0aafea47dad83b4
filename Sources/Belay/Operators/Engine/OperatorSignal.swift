/// A signal whose subscriptions put one stage below those of another signal.
final class OperatorSignal<Input, Output>: Signal<Output>, @unchecked Sendable {
  // Kept by `stands(on:)`.
  private unowned(unsafe) let source: Signal<Input>
  private let operatorName: StaticString
  // Nil at the end only: it goes before the signals do that it holds, too.
  private var makeStage: ((Sink<Output>) -> Stage<Input, Output>)!

  init(
    _ source: Signal<Input>, _ operatorName: StaticString, startsAnywhere: Bool,
    with others: [AnySignal],
    _ makeStage: @escaping (Sink<Output>) -> Stage<Input, Output>
  ) {
    self.source = source
    self.operatorName = operatorName
    self.makeStage = makeStage
    super.init()
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
    stage.operatorName = StaticSite(operatorName)
    sink.upstream = stage
    let refusal = stage.attach(to: source, at: home)
    // A stage and the sink below hold each other until the subscription ends.
    if refusal.isFailure { sink.upstream = nil }
    return refusal
  }
}

extension Signal {
  /// Puts a stage of its own below each subscription to this signal.
  ///
  /// - Parameter startsAnywhere: false for a stage that does more than listen when it is attached,
  ///   and so has to be at the subscription's home.
  @inline(never)
  public final func lift<Output>(
    _ operatorName: StaticString, startsAnywhere: Bool = true, with others: [AnySignal] = [],
    _ makeStage: @escaping (Sink<Output>) -> Stage<Value, Output>
  ) -> Signal<Output> {
    OperatorSignal(self, operatorName, startsAnywhere: startsAnywhere, with: others, makeStage)
  }
}
