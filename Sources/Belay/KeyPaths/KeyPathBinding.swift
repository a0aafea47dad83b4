extension KeyPathObservable {
  /// Sets `property` to the value at `keyPath`, now and at each change. With `back`, the other way,
  /// too, as between two key paths. The binding lasts until the result is disposed of, or the
  /// object or the property goes. It retains neither. The property's home must be this thread's:
  /// otherwise the answer is nil.
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
  private let changes: ((KeyPathOptions) -> Signal<Content>)?
  /// The version of the value of the key path.
  private let version: () -> UInt64
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
    self.property = property
    setsObject = toObject != nil
    let exchange = KeyPathExchange(isTwoWay: toProperty != nil && toObject != nil)
    let reminder = KeyPathReminder()
    let atProperty = BoundEnd(at: home, property.emitter)
    let atObject = BoundEnd<Content>(at: home, nil) { [weak object] value, number in
      guard let object, let toObject else { return .dead }
      let source = KeyVersions(number: number)
      let isNewest = KeyPathCopy.set(keyPath, of: object, from: source, in: exchange, there: false)
      {
        toObject(value)
      }
      if !isNewest { reminder.remind() }
      return .ok
    }
    atObject.tie(to: atProperty)
    changes = toProperty.map { convert in
      { [weak atObject, weak atProperty] options in
        object.changes(of: keyPath, options, observer: nil, reminder: reminder).compactMap {
          change in
          guard let atObject, let atProperty else { return nil }
          return atObject.hear(change, for: atProperty, in: exchange, convert)
        }
      }
    }
    version = { KeyVersions.read(keyPath, of: object).claimed }
    (self.atProperty, self.atObject) = (atProperty, atObject)
    property.add(atProperty)
    object.owner.record.add(atObject)
  }

  func start(fromObject: Bool) -> Disposable {
    if fromObject {
      if setsObject { _ = atProperty.hear(property.signal, startingFromOther: true) }
      if let changes { _ = atObject.hear(changes(.initial)) }
    } else {
      if let changes { _ = atObject.hear(changes([]), startingFromOther: true) }
      // The property's value replaces that of the key path.
      let emitter = property.emitter
      if emitter.acceptedNumber <= version() { emitter.numberValuesAnew() }
      _ = atProperty.hear(property.signal)
    }
    return atObject
  }
}

extension BoundEnd {
  /// The converted value of the key path, which this receives and which keeps its version; nil if
  /// `exchange` does not pass it to the property at `other`.
  fileprivate func hear<Converted>(
    _ change: KeyPathChange<Converted>, for other: BoundEnd, in exchange: KeyPathExchange,
    _ convert: (Converted) -> Value
  ) -> Value? {
    guard let emitter = other.liveEmitter else { return nil }
    var source = change.versions
    // On another thread the property refuses the value.
    var accepted: UInt64 { emitter.ownHome.isCurrent ? emitter.acceptedNumber : 0 }
    if !exchange.passes(&source, there: true, to: accepted) {
      // A value that the property has not sent yet follows.
      if exchange.isTwoWay, source.version < accepted, emitter.deliveredNumber == accepted {
        let value = emitter.keptShown
        other.deliver(value)
        discard(value)
      }
      return nil
    }
    let value = convert(change.value)
    exchange.note(source.version, KeyVersions(), there: true)
    if !exchange.isTwoWay && source.version < accepted { source.renumber() }
    heardNumber = source.version
    return value
  }
}
