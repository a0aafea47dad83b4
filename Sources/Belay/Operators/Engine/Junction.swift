/// The stage of an operator with several inputs. merge, zip, flat_map and similar operators are made
/// of it.
///
/// A subclass connects its inputs in `start`, and handles their events with `send`, which passes one
/// event at a time: an event that is sent from inside a delivery waits until that is over. All inputs
/// are called at one home. At the end, the inputs are disposed of in the order in which they were
/// made, and `tearDown` is called.
@_spi(Engine) open class Junction<Output>: Joint, @unchecked Sendable {
  public final let downstream: Sink<Output>
  package final let ownHome: Home
  fileprivate final let gate: Gate<Output>
  fileprivate final var name: Text = ""
  /// The bound of the queues. Set by the signal that makes the junction.
  final var limit: QueueLimit! { gate.limit }

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

  /// Releases what the junction holds. Called once, when the subscription ends.
  open func tearDown() {}

  /// Sends a value, which is borrowed.
  package final func send(_ value: Output) { if !isClosed { gate.send(value) } }

  /// Sends the end, after the events that wait.
  package final func send(end: End) { if !isClosed { gate.send(end: end) } }

  /// Connects `signal` to a new input. The input is in the list, and so in `inputCount`, until it ends
  /// or is disposed of; `end` is called after that. The values are borrowed. If `signal` cannot be
  /// connected, the input ends with that error.
  @discardableResult
  package final func connect<Value>(
    _ signal: Signal<Value>, next: @escaping (Value) -> Void, end: @escaping (End) -> Void
  ) -> Input<Value> {
    let input = ClosureInput<Value>(
      downstream.root, of: self, above: downstream.level, in: self, next: next, end: end)
    connect(input, to: signal)
    return input
  }

  /// Connects `signal` to `input`, which is new and in this junction's list. If `signal` cannot be
  /// connected, the input ends with that error. A callback of the event in progress may have torn the
  /// junction down, and then nothing would dispose of the input.
  final func connect<Value>(_ input: Input<Value>, to signal: Signal<Value>) {
    if isClosed { return input.dispose() }
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

/// A signal that makes a junction for each subscription.
final class JunctionSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let operatorName: StaticString
  // Optional only for `deinit`, which releases it before the signals that it also retains.
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
    queueLimit = QueueLimit(operatorName)
  }

  #if !hasFeature(Embedded)
    deinit { make = nil }
  #endif

  /// The signal of an operator on `source`, which also subscribes to `others`. Its name begins with
  /// the source's, and its events arrive where the source's do.
  @inline(never)
  convenience init(
    _ operatorName: StaticString, below source: AnySignal, with others: [AnySignal] = [],
    _ make: @escaping (Sink<Value>, Home) -> Junction<Value>
  ) {
    self.init(operatorName, source, leads: true, others, make)
  }

  /// The signal of an operator that treats all `signals` alike. Its name is the operator's alone.
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
    queueLimit?.begin()
    junction.gate.limit = queueLimit
    sink.upstream = junction
    junction.start()
    return .ok
  }
}
