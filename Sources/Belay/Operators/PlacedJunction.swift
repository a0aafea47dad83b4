/// Where several inputs meet, each of which has its place: what combine_latest, zip and their kin
/// are made of.
///
/// One event is worked off whole before the next: what is sent from inside, by a combiner or by
/// whoever is below, waits. So a combiner may be lent the values where they are kept, and they are
/// given back only when nobody is inside.
open class PlacedJunction<Element, Output>: Junction<Output>, @unchecked Sendable {
  private final var ports: [Port<Element, Output>]
  private final var isBusy = false
  /// Something waits, or the subscription has ended meanwhile.
  private final var needsSettling = false
  private final var waiting: [PlacedEvent<Element>] = []

  /// Connects `ports` in their order.
  init(_ downstream: Sink<Output>, _ ports: [Port<Element, Output>], at home: Home) {
    self.ports = ports
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
    if ports.isEmpty { return downstream.enterEnd(.completed) }
    for port in ports where !isClosed { port.attach(self) }
  }

  /// Connects a signal of the junction's own type.
  final func attach(_ signal: Signal<Element>, at place: Int) {
    connect(signal, by: PlacedInput(downstream.root, self, place))
  }

  @inline(__always)
  final func accept(_ value: Element, at place: Int) {
    if isBusy { return wait(value, place) }
    isBusy = true
    take(value, at: place)
    if needsSettling { settle() } else { isBusy = false }
  }

  final func accept(_ end: End, at place: Int) {
    if isBusy {
      waiting.append(.end(end, place))
      needsSettling = true
      return
    }
    isBusy = true
    take(end, at: place)
    if needsSettling { settle() } else { isBusy = false }
  }

  /// Sends what `combine` makes; what it throws ends the subscription.
  @inline(__always)
  final func pass(_ combine: () throws(Failure) -> Output) {
    do throws(Failure) {
      let output = try combine()
      if !isClosed { downstream.next(output) }
      discard(output)
    } catch {
      if !isClosed { downstream.end(.failed(error)) }
    }
  }

  @inline(never)
  private final func wait(_ value: Element, _ place: Int) {
    // The inputs are bounded by their own queues; here nothing may be lost.
    if isClosed { return }
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

private enum PlacedEvent<Element> {
  case value(Element, Int)
  case end(End, Int)
}

/// One of the signals that a junction is to connect, of whatever type, and its place.
struct Port<Element, Output> {
  let attach: (PlacedJunction<Element, Output>) -> Void

  init(_ signal: Signal<Element>, at place: Int) {
    attach = { $0.attach(signal, at: place) }
  }

  /// A signal of another type, whose values `wrap` makes into the junction's.
  init<Value>(_ signal: Signal<Value>, at place: Int, _ wrap: @escaping (Value) -> Element) {
    attach = { junction in
      junction.connect(
        signal, next: { junction.accept(wrap($0), at: place) },
        end: { junction.accept($0, at: place) })
    }
  }

  static func all(_ signals: [Signal<Element>]) -> [Port] {
    var ports: [Port] = []
    for signal in signals { ports.append(Port(signal, at: ports.count)) }
    return ports
  }
}

/// An input that hands its events on without a closure between.
private final class PlacedInput<Element, Output>: Input<Element>, @unchecked Sendable {
  // Kept by `Input`; a copy would be counted each time that a value comes.
  private let subscriptionRoot: Unmanaged<Link>
  private let junction: Unmanaged<PlacedJunction<Element, Output>>
  private let position: Int

  init(_ root: Link, _ junction: PlacedJunction<Element, Output>, _ position: Int) {
    subscriptionRoot = .passUnretained(root)
    self.junction = .passRetained(junction)
    self.position = position
    super.init(root)
  }

  deinit { junction.drop() }

  @_optimize(speed)
  override func enter(_ value: Element) {
    subscriptionRoot._withUnsafeGuaranteedRef { root in
      let passage = root.enter()
      if passage.isOpen && !isClosed {
        junction._withUnsafeGuaranteedRef { $0.accept(value, at: position) }
      }
      root.leave(passage)
    }
  }

  override func next(_ value: Element) {
    junction._withUnsafeGuaranteedRef { $0.accept(value, at: position) }
  }

  override func ended(_ end: End) {
    junction._withUnsafeGuaranteedRef { $0.accept(end, at: position) }
  }
}
