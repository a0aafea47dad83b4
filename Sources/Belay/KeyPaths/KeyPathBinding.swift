extension KeyPathObservable {
  /// Sets `property` to the value at `keyPath`, now and at each change. With `back`, the other way,
  /// too, except for values that came through this binding. The binding lasts until the result is
  /// disposed of, or the object or the property goes. It retains neither. The property's home must
  /// be this thread's: otherwise the answer is nil.
  @discardableResult
  public func bind<Value, Content>(
    _ keyPath: ReferenceWritableKeyPath<Self, Value>, to property: Property<Content>,
    _ convert: @escaping (Value) -> Content, back: ((Content) -> Value)? = nil
  ) -> Disposable? {
    KeyPathBinding(self, keyPath, property, convert, back)?.start(fromObject: true)
  }

  /// The same for values of one type. With `bothWays`, the key path also follows the property.
  @discardableResult
  public func bind<Value>(
    _ keyPath: ReferenceWritableKeyPath<Self, Value>, to property: Property<Value>,
    bothWays: Bool = false
  ) -> Disposable? {
    bind(keyPath, to: property, { $0 }, back: bothWays ? { $0 } : nil)
  }
}

extension Property {
  /// Sets `keyPath` of `object` to the value of this, now and whenever it is set. With `back`, the
  /// other way, too. Otherwise like `KeyPathObservable.bind`.
  @discardableResult
  public func bind<Root: KeyPathObservable, Content>(
    to object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Content>,
    _ convert: @escaping (Value) -> Content, back: ((Content) -> Value)? = nil
  ) -> Disposable? {
    KeyPathBinding(object, keyPath, self, back, convert)?.start(fromObject: false)
  }

  /// The same for values of one type. With `bothWays`, this also follows the key path.
  @discardableResult
  public func bind<Root: KeyPathObservable>(
    to object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>, bothWays: Bool = false
  ) -> Disposable? {
    bind(to: object, keyPath, { $0 }, back: bothWays ? { $0 } : nil)
  }
}

/// A binding that is about to begin: two bound ends that exchange the property's values.
private struct KeyPathBinding<Content> {
  private let property: Property<Content>
  private let atObject: BoundEnd<Content>
  private let atProperty: BoundEnd<Content>
  /// The converted values of the key path; nil if the property does not follow them.
  private let changes: Signal<Content>?
  private let setsObject: Bool

  /// Nil if the property's home is not this thread's.
  init?<Root: KeyPathObservable, Value>(
    _ object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>,
    _ property: Property<Content>, _ toProperty: ((Value) -> Content)?,
    _ toObject: ((Content) -> Value)?
  ) {
    var home = property.emitter.ownHome
    if !home.isCurrent { return nil }
    // The value of a path changes on any thread.
    if !home.acceptsMessages { home = SharedHome() }
    let binding = BindingMark()
    self.property = property
    setsObject = toObject != nil
    changes = toProperty.map { convert in
      object.changes(of: keyPath, .initial, observer: nil, ignoring: binding)
        .map { convert($0.value) }
    }
    atProperty = BoundEnd(at: home, property.emitter)
    atObject = BoundEnd(at: home, nil) { [weak object] _, value in
      guard let object, let toObject else { return .dead }
      KeyPathTracking.$binding.withValue(binding) { object[keyPath: keyPath] = toObject(value) }
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
