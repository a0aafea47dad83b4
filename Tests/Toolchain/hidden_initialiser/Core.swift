open class Sink<Value> {
  package init() {}
  open func end() {}
}

open class Junction<Value>: Sink<Value> {
  final let below: Sink<Value>
  package init(_ below: Sink<Value>) {
    self.below = below
    super.init()
  }
  open override func end() { below.end() }
}

#if WORKAROUND
  open class Placed<Element, Output>: Junction<Output> {
    final var held: [Element] = []
    init(_ below: Sink<Output>, _ held: [Element]) {
      self.held = held
      super.init(below)
    }
    open override func end() {
      held = []
      super.end()
    }
  }
#else
  class Placed<Element, Output>: Junction<Output> {
    final var held: [Element] = []
    init(_ below: Sink<Output>, _ held: [Element]) {
      self.held = held
      super.init(below)
    }
    override func end() {
      held = []
      super.end()
    }
  }
#endif

private final class Input<Element, Output>: Placed<Element, Output> {
  override func end() { super.end() }
}

public func makeInput(_ below: Sink<Bool>) -> Sink<Bool> { Input<Bool, Bool>(below, []) }
