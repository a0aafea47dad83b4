/// One operator at work in a subscription: receives from above, sends below.
open class Stage<Input, Output>: Sink<Input>, @unchecked Sendable {
  // Private: all that is sent below goes through `pass`.
  private final let downstream: Sink<Output>
  // Lives as long as `downstream`, at whose end it is. Unmanaged, for a copy would be counted.
  private final let subscription: Unmanaged<Link>
  /// The operator's name; set by the signal that makes the stage.
  package final var operatorName: StaticSite?

  public init(_ downstream: Sink<Output>) {
    self.downstream = downstream
    subscription = .passUnretained(downstream.root)
    super.init()
    level = downstream.level + 1
  }

  package final override var root: Link { subscription.takeUnretainedValue() }
  package override var chainName: Text {
    guard let operatorName else { return super.chainName }
    return super.chainName + "." + operatorName.text
  }

  open override func end(_ end: End) { pass(end: end) }

  /// Hands a value, which is borrowed, to the sink below.
  ///
  /// A sink may end the subscription while it has a value, and frees then what it holds. So every
  /// `pass` looks first whether that has happened, and drops what comes too late.
  @inline(__always)
  public final func pass(_ value: Output) { if !isClosed { downstream.next(value) } }

  /// Hands the end to the sink below, unless the subscription has ended.
  @inline(__always)
  public final func pass(end: End) { if !isClosed { downstream.end(end) } }

  /// Hands on a last value, then the completion.
  public final func pass(last value: Output) {
    pass(value)
    pass(end: .completed)
  }

  /// Lets go of what the stage holds. Runs once, when the subscription ends.
  open func tearDown() {}

  @_optimize(speed)
  package final override func deliver(_ value: Input, at place: CallPlace) {
    subscription._withUnsafeGuaranteedRef { root in
      if root.beginDelivery(at: place) && !isClosed { next(value) }
      root.endDelivery(at: place)
    }
  }

  package final override func detach(_ link: Link, afterEnd: Bool) {
    guard close() else { return }
    if afterEnd {
      tearDown()
      disconnect(afterEnd: true)
    } else {
      disconnect(afterEnd: false)
      tearDown()
    }
  }

  /// Connects the stage to what is above it; a stage with more than one input connects them all.
  open func attach(to source: Signal<Input>, at home: Home) -> Code {
    source.connect(self, at: home)
  }

  /// What comes from a time or from another source enters the subscription through here.
  package final func delivering(_ body: () -> Void) {
    subscription._withUnsafeGuaranteedRef { root in
      let delivery = root.beginDelivery()
      if delivery.isOpen && !isClosed { body() }
      root.endDelivery(delivery)
    }
  }
}
