/// One of two ends that are bound, at a property or at what a path of an owner's leads to: hears of
/// values at its own, and passes them to the other. Goes with the other one.
final class BoundEnd<Value>: Subscription<Value>, @unchecked Sendable {
  private let ownHome: Home
  private var other: BoundEnd?
  /// What goes from here to the other end; nil: as it is. What it answers is kept.
  private var convert: ((Value) throws(Failure) -> Value)?
  /// What lives as long as this may be called.
  private var held: AnyObject?
  /// Whether what it hears is what the other end has to begin with.
  private var isStarting = false

  // Let go of when this is freed, for the emitter of a thread that has ended keeps its sinks. The
  // other end may be passing a value on another thread meanwhile, hence the lock.
  private var emitter: PropertyEmitter<Value>?
  private let lock = Lock()
  private let isAtProperty: Bool
  /// At a path: of the value that was heard or set last, as `PropertyEmitter` numbers them.
  private var lastNumber: UInt64 = 0

  /// Sets what the path leads to, as this end's doing. Kept until this is freed: the other end may
  /// call it on another thread while this is disposed of.
  private let store: ((BoundEnd, Value) -> Code)?

  /// At one of the two, or at none: then nothing can be passed to it.
  init(
    at home: Home, _ emitter: PropertyEmitter<Value>?,
    _ store: ((BoundEnd, Value) -> Code)? = nil
  ) {
    ownHome = home
    self.emitter = emitter
    isAtProperty = emitter != nil
    self.store = store
    super.init()
    if let emitter, emitter.ownHome.isCurrent { emitter.numberValues() }
  }

  override var fixedHome: Unmanaged<Home>? { .passUnretained(ownHome) }

  /// Called before anybody else knows one of the two, who could end it.
  func tie(to other: BoundEnd) {
    self.other = other
    other.other = self
  }

  func convert(_ convert: ((Value) throws(Failure) -> Value)?, holding held: AnyObject?) {
    self.convert = convert
    self.held = held
  }

  /// Listens to `signal`, whose values go to the other end.
  func hear(_ signal: Signal<Value>, startingFromOther: Bool = false) -> Code {
    if isClosed { return .ok }
    isStarting = startingFromOther
    if !startingFromOther { emitter?.numberValuesAnew() }
    let code = signal.start(self, owner: nil, at: ownHome)
    isStarting = false
    if code.isFailure { dispose() }
    return code
  }

  override func next(_ value: Value) {
    guard !isClosed, !isStarting, let other else { return }
    // Read first: a conversion may set the property.
    let number = numberOfHeard
    guard let convert else { return pass(value, number, to: other) }
    do throws(Failure) {
      let converted = try convert(value)
      pass(converted, number, to: other)
      discard(converted)
    } catch {
      end(.failed(error))
    }
  }

  /// The number that a value keeps on its way from here, where there are any.
  private var numberOfHeard: UInt64? {
    if isAtProperty { return emitter?.deliveredNumber }
    guard let other, other.isAtProperty else { return nil }
    lastNumber = ValueNumbers.next()
    return lastNumber
  }

  private func pass(_ value: Value, _ number: UInt64?, to other: BoundEnd) {
    if other.isClosed { return }
    let (code, told) = LastFailure.explaining { other.take(value, number) }
    if code == .ended || code == .canceled || code == .dead {
      dispose()
    } else if code.isFailure {
      // A gap would go unseen.
      end(.failed(told ?? Failure(code)))
    }
  }

  private func take(_ value: Value, _ number: UInt64?) -> Code {
    if !isAtProperty {
      if let number {
        // What came from here, or is older.
        if number <= lastNumber { return .ok }
        lastNumber = number
      }
      return store?(self, value) ?? .ok
    }
    guard let emitter = lock.withLock({ emitter }) else { return .dead }
    return emitter.take(value, number)
  }

  override func onDisposed() {
    let other = other
    self.other = nil
    other?.dispose()
  }

  override func freeContext() {
    convert = nil
    held = nil
    let last = lock.withLock { () -> PropertyEmitter<Value>? in
      defer { emitter = nil }
      return emitter
    }
    extendLifetime(last)
  }
}

/// What can be bound: a property, or what a path of an owner's leads to.
package struct Bindable {
  private let property: Property<ForeignValue>?
  private let record: OwnerRecord?
  private let path: PathKey?

  package init(_ property: Property<ForeignValue>) {
    self.property = property
    record = nil
    path = nil
  }

  package init(_ record: OwnerRecord, _ path: PathKey) {
    property = nil
    self.record = record
    self.path = path
  }

  private func isHere(_ home: Home) -> Bool {
    property.map { $0.emitter.ownHome === home } ?? true
  }

  private func end(at home: Home) -> BoundEnd<ForeignValue> {
    var store: ((BoundEnd<ForeignValue>, ForeignValue) -> Code)?
    if let record, let path { store = { Self.set(record, path, $1, from: $0) } }
    return BoundEnd(at: home, property?.emitter, store)
  }

  /// Whether it listens or not, `end` goes with the property or the owner.
  private func hold(_ end: BoundEnd<ForeignValue>) {
    property?.add(end)
    record?.add(end)
  }

  private static func set(
    _ record: OwnerRecord, _ path: PathKey, _ value: ForeignValue, from end: AnyObject
  ) -> Code {
    // What is there already is not set again: so bindings may be in a ring.
    let present = record.value(at: path)
    let isThere = present.code == .ok && present.value.isEqual(to: value)
    discard(present.value)
    if isThere { return .ok }
    let code = record.set(path, value, from: end)
    // A path that leads nowhere now may lead somewhere later.
    return code == .dead && !record.isDying ? .ok : code
  }

  private func hear(_ end: BoundEnd<ForeignValue>, startingFromOther: Bool) -> Code {
    var signal = property?.signal
    if let record, let path { signal = record.observe(path, .initial, ignoring: end) }
    return signal.map { end.hear($0, startingFromOther: startingFromOther) } ?? .invalid
  }

  /// Passes what happens to this one to `other`, beginning with what it is now; both ways, what the
  /// other is set to, back, too, but nothing that came through this binding. Until the result is
  /// disposed of, or one of them goes. Keeps neither.
  ///
  /// - Parameters:
  ///   - held: is let go of when neither conversion can run any more.
  ///   - there: what becomes of a value on its way; nil: it goes as it is. What it answers is kept.
  ///   - back: the same for the other way.
  /// - Returns: `.wrongThread` when one is a property that is not at home here.
  package func bind(
    to other: Bindable, bothWays: Bool, holding held: AnyObject?,
    there: ((ForeignValue) throws(Failure) -> ForeignValue)?,
    back: ((ForeignValue) throws(Failure) -> ForeignValue)?
  ) -> (code: Code, disposable: Disposable) {
    var home = Home.current
    if !isHere(home) || !other.isHere(home) { return (.wrongThread, NopDisposable.shared) }
    // What a path leads to changes on any thread.
    if (property == nil || other.property == nil) && !home.acceptsMessages { home = SharedHome() }
    let (here, far) = (end(at: home), other.end(at: home))
    here.convert(there, holding: held)
    far.convert(back, holding: held)
    here.tie(to: far)
    hold(here)
    other.hold(far)
    var code = Code.ok
    if bothWays { code = other.hear(far, startingFromOther: true) }
    if !code.isFailure { code = hear(here, startingFromOther: false) }
    return (code, here)
  }

  /// Sets this to what `signal` sends, until the result is disposed of, or this goes.
  package func follow(_ signal: Signal<ForeignValue>) -> (code: Code, disposable: Disposable) {
    let home = signal.subscriptionHome(nil)
    let (here, there) = (BoundEnd<ForeignValue>(at: home, nil), end(at: home))
    here.tie(to: there)
    hold(there)
    return (here.hear(signal), here)
  }
}
