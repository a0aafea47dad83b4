/// One of the two ends of a binding, at a property or at a path of an owner. It passes the values
/// that it receives to the other end. When one end goes, the other does.
final class BoundEnd<Value>: Subscription<Value>, @unchecked Sendable {
  private let ownHome: Home
  private var other: BoundEnd?
  /// Converts a value on its way to the other end; nil: the value is passed on unchanged. The
  /// result is kept.
  private var convert: ((Value) throws(Failure) -> Value)?
  /// An object that must live as long as `convert` may be called.
  private var held: AnyObject?
  /// Whether this has just subscribed, so that the value it receives is the old one, which the
  /// other end replaces.
  private var isStarting = false

  // Released when this is freed, because the emitter of a thread that has ended keeps its sinks.
  // The lock is needed because the other end may be passing a value on another thread then.
  private var emitter: PropertyEmitter<Value>?
  private let lock = Lock()
  private let isAtProperty: Bool
  /// At a path: the number of the value that was received or set last, as `PropertyEmitter` numbers
  /// values.
  private var lastNumber: UInt64 = 0

  /// Whether this is bound both ways.
  var isTwoWay = false

  /// At a path that is bound both ways: whether the path still has the value that is heard. If not,
  /// a newer one follows or has come from the other end, which must not go back to this one.
  private var holds: ((Value) -> Bool)?

  /// Sets the path's value, on behalf of this end. Not released before this is freed, because the
  /// other end may call it on another thread while this is disposed of.
  private let store: ((BoundEnd, Value) -> Code)?

  /// An end at a property, at a path, or at neither; nothing can be passed to the last kind.
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

  /// Connects the ends. Called before another thread knows either of them, and could dispose of it.
  func tie(to other: BoundEnd) {
    self.other = other
    other.other = self
  }

  func passOnly(_ holds: ((Value) -> Bool)?) { self.holds = holds }

  func convert(_ convert: ((Value) throws(Failure) -> Value)?, holding held: AnyObject?) {
    self.convert = convert
    self.held = held
  }

  /// Subscribes to `signal`, whose values go to the other end.
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
    guard !isClosed, !isStarting, let other, holds?(value) ?? true else { return }
    // Read first, because a conversion may set the property.
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

  /// The number that a value from here keeps, if one of the ends is at a property.
  private var numberOfHeard: UInt64? {
    if isAtProperty { return emitter?.deliveredNumber }
    guard let other, other.isAtProperty else { return nil }
    lastNumber = ValueNumbers.next()
    return lastNumber
  }

  private func pass(_ value: Value, _ number: UInt64?, to other: BoundEnd) {
    if other.isClosed { return }
    let (code, told) = LastFailure.explaining { other.accept(value, number) }
    if code == .ended || code == .canceled || code == .dead {
      dispose()
    } else if code.isFailure {
      // The binding ends with the error, because a gap would go unseen.
      end(.failed(told ?? Failure(code)))
    }
  }

  private func accept(_ value: Value, _ number: UInt64?) -> Code {
    if !isAtProperty {
      if let number {
        // The value came from here, or is older than the present one.
        if number <= lastNumber { return .ok }
        lastNumber = number
      }
      return store?(self, value) ?? .ok
    }
    guard let emitter = lock.withLock({ emitter }) else { return .dead }
    // In a ring, the property's own value may come back late.
    if isTwoWay && emitter.refuseIfPast(value) { return .ok }
    return emitter.accept(value, number)
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

/// What can be bound: a property, or a path of an owner.
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

  /// Makes `end` end with the property or the owner, even if it does not subscribe.
  private func hold(_ end: BoundEnd<ForeignValue>) {
    property?.add(end)
    record?.add(end)
  }

  private static func holds(_ record: OwnerRecord, _ path: PathKey, _ value: ForeignValue) -> Bool {
    guard let present = try? record.value(at: path) else { return false }
    defer { discard(present) }
    return present.isEqual(to: value)
  }

  /// Makes `end` one of a binding both ways: it passes only what is not out of date.
  private func makeTwoWay(_ end: BoundEnd<ForeignValue>) {
    end.isTwoWay = true
    guard let record, let path else { return }
    end.passOnly {
      // A NaN equals nothing. Null may be sent for a death, which the path does not show.
      $0.kind == .null || !$0.isEqual(to: $0) || Self.holds(record, path, $0)
    }
  }

  private static func set(
    _ record: OwnerRecord, _ path: PathKey, _ value: ForeignValue, from end: AnyObject
  ) -> Code {
    // A value that is there already is not set again, so that bindings may form a ring.
    if holds(record, path, value) { return .ok }
    let code = record.set(path, value, from: end)
    // A path with a null hop may lead somewhere later, so the binding goes on.
    return code == .dead && !record.isDying ? .ok : code
  }

  private func hear(_ end: BoundEnd<ForeignValue>, startingFromOther: Bool) -> Code {
    var signal = property?.signal
    if let record, let path { signal = record.observe(path, .initial, ignoring: end) }
    return signal.map { end.hear($0, startingFromOther: startingFromOther) } ?? .invalid
  }

  /// Passes the value of this to `other`, now and at each change. With `bothWays`, a value that the
  /// other is set to is passed back, too, unless it came through this binding. The binding lasts
  /// until the result is disposed of, or one side goes. It retains neither side.
  ///
  /// - Parameters:
  ///   - held: released when no conversion can run any more.
  ///   - there: converts a value on its way to `other`; nil: it is passed on unchanged. The result
  ///     is kept.
  ///   - back: the same for the way back.
  /// - Returns: `.wrongThread` if one side is a property that is not at home on this thread.
  package func bind(
    to other: Bindable, bothWays: Bool, holding held: AnyObject?,
    there: ((ForeignValue) throws(Failure) -> ForeignValue)?,
    back: ((ForeignValue) throws(Failure) -> ForeignValue)?
  ) -> (code: Code, disposable: Disposable) {
    var home = Home.current
    if !isHere(home) || !other.isHere(home) { return (.wrongThread, NopDisposable.shared) }
    // The value of a path changes on any thread.
    if (property == nil || other.property == nil) && !home.acceptsMessages { home = SharedHome() }
    let (here, far) = (end(at: home), other.end(at: home))
    here.convert(there, holding: held)
    far.convert(back, holding: held)
    here.tie(to: far)
    hold(here)
    other.hold(far)
    var code = Code.ok
    if bothWays {
      makeTwoWay(here)
      other.makeTwoWay(far)
      code = other.hear(far, startingFromOther: true)
    }
    if !code.isFailure { code = hear(here, startingFromOther: false) }
    return (code, here)
  }

  /// Sets this to each value of `signal`, until the result is disposed of or this goes.
  package func follow(_ signal: Signal<ForeignValue>) -> (code: Code, disposable: Disposable) {
    let home = signal.subscriptionHome(nil)
    let (here, there) = (BoundEnd<ForeignValue>(at: home, nil), end(at: home))
    here.tie(to: there)
    hold(there)
    return (here.hear(signal), here)
  }
}
