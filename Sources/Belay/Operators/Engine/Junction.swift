/// Where the inputs of one subscription meet: what merge, zip, flat_map and their kin are made of.
///
/// A subclass starts its inputs in `start`, and answers their events with `send` and `finish`,
/// which pass one event at a time: what comes from inside a delivery follows it. All inputs come at
/// one home. At the end every input is left, in the order of its coming, and `tearDown` runs.
open class Junction<Output>: Joint, @unchecked Sendable {
  public final let downstream: Sink<Output>
  package final let ownHome: Home
  private final let gate: Gate<Output>
  fileprivate final var name: Text = ""

  package init(_ downstream: Sink<Output>, at home: Home) {
    self.downstream = downstream
    ownHome = home
    gate = Gate(downstream)
    super.init()
  }

  package final override var home: Home? { ownHome }
  package final override var chainName: Text { name }

  /// Connects the first inputs.
  open func start() {}

  /// Lets go of what is held. Runs once, when the subscription ends.
  open func tearDown() {}

  /// Sends a value, which is borrowed.
  package final func send(_ value: Output) { if !isClosed { gate.send(value) } }

  /// Ends the subscription; what waits is delivered before.
  package final func finish(_ end: End) { if !isClosed { gate.finish(end) } }

  /// Connects an input. It is listed, and so counted, until it has ended or was left; `end` is
  /// called after that. Its values are borrowed. A failure to connect is its error.
  @discardableResult
  package final func connect<Value>(
    _ signal: Signal<Value>, next: @escaping (Value) -> Void, end: @escaping (End) -> Void
  ) -> Input<Value> {
    let input = ClosureInput<Value>(
      downstream.root, of: self, above: downstream.level, in: self, next: next, end: end)
    connect(input, to: signal)
    return input
  }

  /// Connects `input`, a new one that is listed here, to `signal`. A failure to connect is its error.
  final func connect<Value>(_ input: Input<Value>, to signal: Signal<Value>) {
    let code = signal.connect(input, at: ownHome)
    if code.isFailure { input.deliverEnd(.failed(Failure(code))) }
  }

  package final override func detach(_ link: Link, afterEnd: Bool) {
    guard close() else { return }
    leaveInputs()
    gate.empty()
    tearDown()
  }
}

/// A signal whose subscriptions have a junction.
final class JunctionSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let operatorName: StaticString
  // Nil at the end only: it goes before the signals do that it holds, too.
  private var make: ((Sink<Value>, Home) -> Junction<Value>)!

  private init(
    _ operatorName: StaticString, _ source: AnySignal?, leads: Bool, _ others: [AnySignal],
    _ make: @escaping (Sink<Value>, Home) -> Junction<Value>
  ) {
    self.operatorName = operatorName
    self.make = make
    super.init()
    stands(on: source, with: others)
    route = Route(.joined(source, others), below: leads ? source?.route : nil)
  }

  #if !hasFeature(Embedded)
    deinit { make = nil }
  #endif

  /// What happens to one signal, whatever `others` it listens to meanwhile: named after it, and where
  /// its events land.
  @inline(never)
  convenience init(
    _ operatorName: StaticString, below source: AnySignal, with others: [AnySignal] = [],
    _ make: @escaping (Sink<Value>, Home) -> Junction<Value>
  ) {
    self.init(operatorName, source, leads: true, others, make)
  }

  /// What is made of several signals, each as good as the first.
  @inline(never)
  convenience init(
    _ operatorName: StaticString, beside signals: [AnySignal],
    _ make: @escaping (Sink<Value>, Home) -> Junction<Value>
  ) {
    self.init(operatorName, signals.first, leads: false, signals, make)
  }

  override var builtName: Text { operatorName.string }
  override var stem: NameStem? { below.map { NameStem($0, "." + operatorName.string) } }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    let junction = make(sink, home)
    junction.name = chainedName
    sink.upstream = junction
    junction.start()
    return .ok
  }
}
