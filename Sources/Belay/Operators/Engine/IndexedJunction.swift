/// Where several inputs meet, each of which has its place: what combine_latest, zip and their kin
/// are made of.
///
/// One event is worked off whole before the next: what is sent from inside, by a combiner or by
/// whoever is below, waits. So a combiner may be lent the values where they are kept, and they are
/// given back only when nobody is inside.
open class IndexedJunction<Element, Output>: Junction<Output>, @unchecked Sendable {
  private final var ports: [Port<Element, Output>]
  private final var isBusy = false
  /// Something waits, or the subscription has ended meanwhile.
  private final var needsSettling = false
  private final var waiting: [IndexedEvent<Element>] = []

  /// `downstream`. Unmanaged, for a copy would be counted.
  private final let below: Unmanaged<Sink<Output>>

  /// Connects `ports` in their order.
  init(_ downstream: Sink<Output>, _ ports: [Port<Element, Output>], at home: Home) {
    self.ports = ports
    below = .passUnretained(downstream)
    super.init(downstream, at: home)
  }

  /// A value of the input at `place`, which is borrowed.
  open func take(_ value: Element, at place: Int) {}

  /// The end of the input at `place`.
  open func take(_ end: End, at place: Int) {}

  /// Gives back all that is held. Nobody is inside.
  open func empty() {}

  public final override func start() {
    // Who listens keeps no subject: its last handle's going is the interruption.
    let ports = self.ports
    self.ports = []
    if ports.isEmpty { return downstream.deliverEnd(.completed) }
    for port in ports where !isClosed { port.attach(self) }
  }

  /// Connects a signal of the junction's own type.
  final func attach(_ signal: Signal<Element>, at place: Int) {
    connect(IndexedInput(downstream.root, self, place), to: signal)
  }

  @inline(__always)
  final func accept(_ value: Element, at place: Int) {
    if isClosed { return }
    if isBusy { return wait(value, place) }
    isBusy = true
    take(value, at: place)
    if needsSettling { settle() } else { isBusy = false }
  }

  final func accept(_ end: End, at place: Int) {
    if isClosed { return }
    if isBusy {
      waiting.append(.end(end, place))
      needsSettling = true
      return
    }
    isBusy = true
    take(end, at: place)
    if needsSettling { settle() } else { isBusy = false }
  }

  /// Hands a value, which is borrowed, to the sink below, unless the junction has ended.
  @inline(__always)
  final func pass(_ value: Output) {
    if !isClosed { below._withUnsafeGuaranteedRef { $0.next(value) } }
  }

  /// Hands the end to the sink below, unless the junction has ended.
  final func pass(end: End) { if !isClosed { below._withUnsafeGuaranteedRef { $0.end(end) } } }

  /// Sends what `combine` makes; what it throws ends the subscription.
  @inline(__always)
  final func pass(making combine: () throws(Failure) -> Output) {
    do throws(Failure) {
      let output = try combine()
      pass(output)
      discard(output)
    } catch {
      pass(end: .failed(error))
    }
  }

  @inline(never)
  private final func wait(_ value: Element, _ place: Int) {
    // The inputs are bounded by their own queues; here nothing may be lost.
    keep(value)
    waiting.append(.value(value, place))
    needsSettling = true
  }

  @inline(never)
  private final func settle() {
    while !waiting.isEmpty {
      let events = waiting
      waiting = []
      for event in events {
        switch event {
        case .value(let value, let place):
          if !isClosed { take(value, at: place) }
          discard(value)
        case .end(let end, let place): if !isClosed { take(end, at: place) }
        }
      }
    }
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
