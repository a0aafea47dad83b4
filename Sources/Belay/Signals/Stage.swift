/// One operator at work in one subscription: receives from above, sends below.
@_spi(Engine) open class Stage<Input, Output>: Sink<Input>, @unchecked Sendable {
  // Private, so that a stage sends only by `pass`.
  private final let downstream: Sink<Output>
  // Unmanaged, because Swift would count a copy. `downstream` keeps it alive.
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

  /// Passes a value, which is borrowed, to the sink below.
  ///
  /// The sink may end the subscription during a value, which frees what the stage holds. So each
  /// `pass` first checks for that, and then drops the value.
  @inline(__always)
  public final func pass(_ value: Output) { if !isClosed { downstream.next(value) } }

  /// Passes the end to the sink below, unless the subscription has ended.
  @inline(__always)
  public final func pass(end: End) { if !isClosed { downstream.end(end) } }

  /// Passes a last value, then the completion.
  public final func pass(last value: Output) {
    pass(value)
    pass(end: .completed)
  }

  /// Releases the source, which has ended, while the subscription continues for some time.
  final func outliveSource(at home: Home) {
    let above = upstream
    upstream = SilentSource("ended", home)
    above?.detach(self, afterEnd: true)
  }

  /// Releases what the stage holds. Called once, when the subscription ends.
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

  /// Connects the stage to its source. A stage with several inputs connects them all.
  open func attach(to source: Signal<Input>, at home: Home) -> Code {
    source.connect(self, at: home)
  }

  /// Runs `body` as a delivery of the subscription. Times and second inputs enter through here.
  package final func delivering(_ body: () -> Void) {
    subscription._withUnsafeGuaranteedRef { root in
      let delivery = root.beginDelivery()
      if delivery.isOpen && !isClosed { body() }
      root.endDelivery(delivery)
    }
  }
}
