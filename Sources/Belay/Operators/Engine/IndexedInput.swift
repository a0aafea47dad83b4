/// A signal of any type, which a junction connects as the input with a given index.
struct Port<Element, Output> {
  let attach: (IndexedJunction<Element, Output>) -> Void

  init(_ signal: Signal<Element>, at index: Int) {
    attach = { $0.attach(signal, at: index) }
  }

  /// A signal of another type. `wrap` converts its values to the junction's type.
  init<Value>(_ signal: Signal<Value>, at index: Int, _ wrap: @escaping (Value) -> Element) {
    attach = { junction in
      junction.connect(
        signal, next: { junction.accept(wrap($0), at: index) },
        end: { junction.accept($0, at: index) })
    }
  }

  static func all(_ signals: [Signal<Element>]) -> [Port] {
    var ports: [Port] = []
    for signal in signals { ports.append(Port(signal, at: ports.count)) }
    return ports
  }
}

/// An input that passes its events to an `IndexedJunction`, without a closure between them.
final class IndexedInput<Element, Output>: Input<Element>, @unchecked Sendable {
  // Unmanaged, because Swift would count a copy for each value. `Input` keeps it alive.
  private let subscriptionRoot: Unmanaged<Link>
  private let junction: Unmanaged<IndexedJunction<Element, Output>>
  private let index: Int

  init(_ root: Link, _ junction: IndexedJunction<Element, Output>, _ index: Int) {
    subscriptionRoot = .passUnretained(root)
    self.junction = .passRetained(junction)
    self.index = index
    super.init(root, above: junction.downstream.level, in: junction)
  }

  deinit { junction.drop() }

  @_optimize(speed)
  package override func deliver(_ value: Element, at place: CallPlace) {
    subscriptionRoot._withUnsafeGuaranteedRef { root in
      if root.beginDelivery(at: place) && !isClosed {
        junction._withUnsafeGuaranteedRef { $0.accept(value, at: index) }
      }
      root.endDelivery(at: place)
    }
  }

  @_optimize(speed)
  override func next(_ value: Element) {
    junction._withUnsafeGuaranteedRef { $0.accept(value, at: index) }
  }

  override func ended(_ end: End) {
    junction._withUnsafeGuaranteedRef { $0.accept(end, at: index) }
  }
}
