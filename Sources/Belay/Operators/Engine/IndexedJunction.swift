/// A junction that knows its inputs by their indexes. combine_latest, zip and similar operators are
/// made of it.
///
/// It handles one event at a time. An event that a combiner or a sink below sends meanwhile waits.
/// So a combiner can borrow the values in the memory where they are stored: they are released only
/// when no event is being handled.
@_spi(Engine) open class IndexedJunction<Element, Output>: Junction<Output>, @unchecked Sendable {
  private final var ports: [Port<Element, Output>]
  /// Whether an event is being handled.
  private final var isBusy = false
  /// Whether an event waits, or the subscription has ended while an event was handled.
  private final var needsSettling = false
  /// Whether the error waits that ends the subscription, because the queue was full.
  private final var isFull = false
  private final var waiting = FIFO<IndexedEvent<Element>>()
  /// How many values are among the events that wait. No end is refused for lack of room.
  private final var waitingValues = 0

  /// `downstream`. Unmanaged, because Swift would count a copy.
  private final let below: Unmanaged<Sink<Output>>

  /// Connects `ports` in their order.
  init(_ downstream: Sink<Output>, _ ports: [Port<Element, Output>], at home: Home) {
    self.ports = ports
    below = .passUnretained(downstream)
    super.init(downstream, at: home)
  }

  /// Handles a value of the input at `index`. The value is borrowed.
  open func handle(_ value: Element, at index: Int) {}

  /// Handles the end of the input at `index`.
  open func handle(_ end: End, at index: Int) {}

  /// Releases what the junction holds. Called once, while no event is being handled.
  open func empty() {}

  public final override func start() {
    // Drop the signals now: subscribers must not retain a subject, whose last release interrupts.
    let ports = self.ports
    self.ports = []
    if ports.isEmpty { return downstream.deliverEnd(.completed) }
    for port in ports where !isClosed { port.attach(self) }
  }

  /// Connects a signal of the junction's own type.
  final func attach(_ signal: Signal<Element>, at index: Int) {
    connect(IndexedInput(downstream.root, self, index), to: signal)
  }

  @inline(__always)
  final func accept(_ value: Element, at index: Int) {
    if isClosed { return }
    if isBusy { return wait(value, index) }
    isBusy = true
    handle(value, at: index)
    if needsSettling { settle() } else { isBusy = false }
  }

  final func accept(_ end: End, at index: Int) {
    if isClosed { return }
    if isBusy {
      waiting.append(.end(end, index))
      needsSettling = true
      return
    }
    isBusy = true
    handle(end, at: index)
    if needsSettling { settle() } else { isBusy = false }
  }

  /// Passes a value, which is borrowed, to the sink below, unless the subscription has ended.
  @inline(__always)
  final func pass(_ value: Output) {
    if !isClosed { below._withUnsafeGuaranteedRef { $0.next(value) } }
  }

  /// Passes the end to the sink below, unless the subscription has ended.
  final func pass(end: End) { if !isClosed { below._withUnsafeGuaranteedRef { $0.end(end) } } }

  /// Passes the result of `combine`. An error that it throws ends the subscription.
  @inline(__always)
  final func pass(making combine: () throws(ClosureError) -> Output) {
    do throws(ClosureError) {
      let output = try combine()
      pass(output)
      discard(output)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }

  @inline(never)
  private final func wait(_ value: Element, _ index: Int) {
    if isFull { return }
    needsSettling = true
    if limit.refuses(after: waitingValues) {
      isFull = true
      return waiting.append(.end(limit.refusal, index))
    }
    keep(value)
    waiting.append(.value(value, index))
    waitingValues += 1
  }

  private final var goesOn: Bool { !isClosed && !downstream.takesNoMore }

  @inline(never)
  private final func settle() {
    while let event = waiting.popFirst() {
      switch event {
      case .value(let value, let index):
        waitingValues -= 1
        if goesOn { handle(value, at: index) }
        discard(value)
      case .end(let end, let index): if goesOn { handle(end, at: index) }
      }
    }
    waiting.removeAll()
    needsSettling = false
    isBusy = false
    if isClosed { empty() }
  }

  public final override func tearDown() { if isBusy { needsSettling = true } else { empty() } }
}

private enum IndexedEvent<Element> {
  case value(Element, Int)
  case end(End, Int)
}
