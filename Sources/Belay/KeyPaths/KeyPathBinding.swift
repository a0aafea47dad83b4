extension KeyPathObservable {
  /// Sets `property` to what `keyPath` leads to, now and whenever that changes; with `back`, the
  /// other way, too, but nothing that came through this binding. Until the result is disposed of,
  /// or the object or the property goes. Keeps neither. The property's side is at its home, which
  /// has to be this thread's: else nil.
  @discardableResult
  public func bind<Value, Content>(
    _ keyPath: ReferenceWritableKeyPath<Self, Value>, to property: Property<Content>,
    _ convert: @escaping (Value) -> Content, back: ((Content) -> Value)? = nil
  ) -> Disposable? {
    KeyPathBinding(self, keyPath, property, convert, back)?.start(fromObject: true)
  }

  /// The same for values of one type; with `bothWays`, `keyPath` follows the property.
  @discardableResult
  public func bind<Value>(
    _ keyPath: ReferenceWritableKeyPath<Self, Value>, to property: Property<Value>,
    bothWays: Bool = false
  ) -> Disposable? {
    bind(keyPath, to: property, { $0 }, back: bothWays ? { $0 } : nil)
  }
}

extension Property {
  /// Sets what `keyPath` of `object` leads to, to the value, now and whenever it is set; with
  /// `back`, the other way, too. As `KeyPathObservable.bind` otherwise.
  @discardableResult
  public func bind<Root: KeyPathObservable, Content>(
    to object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Content>,
    _ convert: @escaping (Value) -> Content, back: ((Content) -> Value)? = nil
  ) -> Disposable? {
    KeyPathBinding(object, keyPath, self, back, convert)?.start(fromObject: false)
  }

  /// The same for values of one type; with `bothWays`, this follows the key path.
  @discardableResult
  public func bind<Root: KeyPathObservable>(
    to object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>, bothWays: Bool = false
  ) -> Disposable? {
    bind(to: object, keyPath, { $0 }, back: bothWays ? { $0 } : nil)
  }
}

/// A binding about to begin: two bound ends that exchange the property's values.
private struct KeyPathBinding<Content> {
  private let property: Property<Content>
  private let atObject: BoundEnd<Content>
  private let atProperty: BoundEnd<Content>
  /// What the key path leads to, as the property has it; nil: it does not hear of it.
  private let changes: Signal<Content>?
  private let setsObject: Bool

  /// Nil when the property is not at home here.
  init?<Root: KeyPathObservable, Value>(
    _ object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>,
    _ property: Property<Content>, _ toProperty: ((Value) -> Content)?,
    _ toObject: ((Content) -> Value)?
  ) {
    var home = property.emitter.ownHome
    if !home.isCurrent { return nil }
    // What a path leads to changes on any thread.
    if !home.acceptsMessages { home = SharedHome() }
    let origin = KeyPathOrigin()
    self.property = property
    setsObject = toObject != nil
    changes = toProperty.map { convert in
      object.changes(of: keyPath, .initial, observer: nil, ignoring: origin)
        .map { convert($0.value) }
    }
    atProperty = BoundEnd(at: home, property.emitter)
    atObject = BoundEnd(at: home, nil) { [weak object] _, value in
      guard let object, let toObject else { return .dead }
      KeyPathTracking.$origin.withValue(origin) { object[keyPath: keyPath] = toObject(value) }
      return .ok
    }
    atObject.tie(to: atProperty)
    property.add(atProperty)
    object.owner.record.add(atObject)
  }

  func start(fromObject: Bool) -> Disposable {
    if fromObject {
      if setsObject { _ = atProperty.hear(property.signal, startingFromOther: true) }
      if let changes { _ = atObject.hear(changes) }
    } else {
      if let changes { _ = atObject.hear(changes, startingFromOther: true) }
      _ = atProperty.hear(property.signal)
    }
    return atObject
  }
}
