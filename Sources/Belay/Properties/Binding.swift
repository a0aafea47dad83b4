extension Signal {
  /// Sets `property` to each value, at the property's home, until the result is disposed of, or the
  /// property or `owner` goes. It retains neither of them. It does not pass an end on; an error
  /// goes to the hook for unhandled errors. A property cannot be bound to its own signal.
  /// (ReactiveSwift's `<~`.)
  @discardableResult
  public final func bind(to property: Property<Value>, owner: OwnerRecord? = nil) -> Disposable {
    bound(to: property, owner).disposable
  }

  package final func bound(
    to property: Property<Value>, _ owner: OwnerRecord?
  ) -> (code: Code, disposable: Disposable) {
    if property.signal === self { return (.invalid, NopDisposable.shared) }
    let binding = PropertyBinding(property.emitter)
    property.add(binding)
    return (start(binding, owner: owner, at: property.emitter.ownHome), binding)
  }
}

/// Sets a property's source to each value, at the property's home.
private final class PropertyBinding<Value>: Subscription<Value>, @unchecked Sendable {
  private let emitter: PropertyEmitter<Value>

  init(_ emitter: PropertyEmitter<Value>) {
    self.emitter = emitter
    super.init()
  }

  override var fixedHome: Unmanaged<Home>? { .passUnretained(emitter.ownHome) }

  override func next(_ value: Value) {
    if isClosed { return }
    let code = emitter.accept(value)
    if code.isRefusal {
      end(.failed(Failure(code, message: "the property took no more values")))
    }
  }
}
