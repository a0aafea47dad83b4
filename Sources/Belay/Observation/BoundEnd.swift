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
  private var hears = false

  private let emitter: PropertyEmitter<Value>?
  /// The numbers of the property's values that came from the other end and are not delivered yet.
  private var echoes: [UInt64] = []

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
    self.store = store
    super.init()
  }

  override var fixedHome: Home? { ownHome }

  func tie(to other: BoundEnd) {
    self.other = other
    other.other = self
    if isClosed { other.dispose() } else if other.isClosed { dispose() }
  }

  func convert(_ convert: ((Value) throws(Failure) -> Value)?, holding held: AnyObject?) {
    self.convert = convert
    self.held = held
  }

  /// Listens to `signal`, whose values go to the other end.
  func hear(_ signal: Signal<Value>, startingFromOther: Bool = false) -> Code {
    if isClosed { return .ok }
    hears = true
    isStarting = startingFromOther
    let code = signal.start(self, owner: nil, at: ownHome)
    isStarting = false
    if code.isFailure { dispose() }
    return code
  }

  override func next(_ value: Value) {
    guard !isClosed, !isStarting, !isEcho, let other else { return }
    guard let convert else { return pass(value, to: other) }
    do throws(Failure) {
      let converted = try convert(value)
      pass(converted, to: other)
      discard(converted)
    } catch {
      end(.failed(error))
    }
  }

  /// Whether the property's value that is heard came from the other end.
  private var isEcho: Bool {
    guard let echo = echoes.first, echo == emitter?.delivered else { return false }
    echoes.removeFirst()
    return true
  }

  private func pass(_ value: Value, to other: BoundEnd) {
    if other.isClosed { return }
    let code = other.take(value)
    if code == .ended || code == .canceled || code == .dead {
      dispose()
    } else if code.isFailure {
      // A gap would go unseen.
      end(.failed(Failure(code)))
    }
  }

  private func take(_ value: Value) -> Code {
    guard let emitter else { return store?(self, value) ?? .ok }
    if !hears || !ownHome.isCurrent { return emitter.take(value) }
    echoes.append(emitter.taken + 1)
    // Refused, it has called nobody: the last one is still this.
    let code = emitter.take(value)
    if code.isFailure { echoes.removeLast() }
    return code
  }

  override func onDisposed() {
    let other = other
    self.other = nil
    other?.dispose()
  }

  override func freeContext() {
    convert = nil
    held = nil
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
    let end = BoundEnd(at: home, property?.emitter, store)
    // Whether it listens or not, it goes with the property or the owner.
    property?.add(end)
    record?.add(end)
    return end
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
    if (property == nil || other.property == nil) && !home.acceptsMail { home = SharedHome() }
    let (here, far) = (end(at: home), other.end(at: home))
    here.convert(there, holding: held)
    far.convert(back, holding: held)
    here.tie(to: far)
    var code = Code.ok
    if bothWays { code = other.hear(far, startingFromOther: true) }
    if !code.isFailure { code = hear(here, startingFromOther: false) }
    return (code, here)
  }

  /// Sets this to what `signal` sends, until the result is disposed of, or this goes.
  package func follow(_ signal: Signal<ForeignValue>) -> (code: Code, disposable: Disposable) {
    let home = signal.subscriptionHome(nil)
    let here = BoundEnd<ForeignValue>(at: home, nil)
    here.tie(to: end(at: home))
    return (here.hear(signal), here)
  }
}
