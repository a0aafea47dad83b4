/// One of the signals that a junction is to connect, of whatever type, and its place.
struct Port<Element, Output> {
  let attach: (IndexedJunction<Element, Output>) -> Void

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
final class IndexedInput<Element, Output>: Input<Element>, @unchecked Sendable {
  // Kept by `Input`; a copy would be counted each time that a value comes.
  private let subscriptionRoot: Unmanaged<Link>
  private let junction: Unmanaged<IndexedJunction<Element, Output>>
  private let position: Int

  init(_ root: Link, _ junction: IndexedJunction<Element, Output>, _ position: Int) {
    subscriptionRoot = .passUnretained(root)
    self.junction = .passRetained(junction)
    self.position = position
    super.init(root, above: junction.downstream.level, in: junction)
  }

  deinit { junction.drop() }

  @_optimize(speed)
  package override func deliver(_ value: Element, at place: CallPlace) {
    subscriptionRoot._withUnsafeGuaranteedRef { root in
      if root.beginDelivery(at: place) && !isClosed {
        junction._withUnsafeGuaranteedRef { $0.accept(value, at: position) }
      }
      root.endDelivery(at: place)
    }
  }

  @_optimize(speed)
  override func next(_ value: Element) {
    junction._withUnsafeGuaranteedRef { $0.accept(value, at: position) }
  }

  override func ended(_ end: End) {
    junction._withUnsafeGuaranteedRef { $0.accept(end, at: position) }
  }
}
