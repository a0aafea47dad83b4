/// One of the two ends of a binding, at a property or at a path of an owner. It passes the values
/// that it receives to the other end. When one end goes, the other does.
final class BoundEnd<Value>: Subscription<Value>, @unchecked Sendable {
  private let ownHome: Home
  /// Converts a value on its way to the other end; nil: the value is passed on unchanged. The
  /// result is kept.
  private var convert: ((Value) throws(Failure) -> Value)?
  /// An object that must live as long as `convert` may be called.
  private var held: AnyObject?
  /// Whether this has just subscribed, so that the value it receives is the old one, which the
  /// other end replaces.
  private var isStarting = false

  // Another thread may end the binding while one passes a value. The lock protects the two.
  private let lock = Lock()
  private var tied: BoundEnd?
  // Released when this is freed, because the emitter of a thread that has ended keeps its sinks.
  private var emitter: PropertyEmitter<Value>?
  private let isAtProperty: Bool
  /// In a binding of which one side at least is a path; the values are foreign then.
  let boundPath: BoundPath?
  /// At a key path of Swift: the number of the value that this receives.
  var heardNumber: UInt64 = 0

  /// At a key path of Swift: sets its value. Not released before this is freed, because the other
  /// end may call it on another thread while this is disposed of.
  private let store: ((Value, UInt64) -> Code)?

  /// An end at a property, at a path, or at neither; nothing can be passed to the last kind.
  init(
    at home: Home, _ emitter: PropertyEmitter<Value>?, _ boundPath: BoundPath? = nil,
    _ store: ((Value, UInt64) -> Code)? = nil
  ) {
    ownHome = home
    self.emitter = emitter
    isAtProperty = emitter != nil
    self.store = store
    self.boundPath = boundPath
    super.init()
    // It hears a property or a path, and not a signal of the program's.
    endsSilently = isAtProperty || boundPath != nil
    if let emitter, emitter.ownHome.isCurrent { emitter.numberValues() }
  }

  private var isVersioned: Bool { boundPath?.isTwoWay ?? false }

  override var fixedHome: Unmanaged<Home>? { .passUnretained(ownHome) }

  /// Connects the ends. Called before another thread knows either of them, and could dispose of it.
  func tie(to other: BoundEnd) {
    tied = other
    other.tied = self
  }

  /// The other end; nil when the binding has ended.
  var other: BoundEnd? { lock.withLock { tied } }

  func convert(_ convert: ((Value) throws(Failure) -> Value)?, holding held: AnyObject?) {
    self.convert = convert
    self.held = held
  }

  /// Subscribes to `signal`, whose values go to the other end.
  func hear(_ signal: Signal<Value>, startingFromOther: Bool = false) -> Code {
    if isClosed { return .ok }
    isStarting = startingFromOther
    let code = signal.start(self, owner: nil, at: ownHome)
    isStarting = false
    if code.isFailure { dispose() }
    return code
  }

  override func next(_ value: Value) {
    guard !isClosed, !isStarting else { return }
    if isVersioned, let boundPath {
      return boundPath.exchange(unsafeDowncast(self, to: BoundEnd<ForeignValue>.self))
    }
    // Read first, because a conversion may set the property.
    let number = numberOfHeard
    _ = pass(value, number)
  }

  /// The number that a value from here has in a binding one way. A property keeps it; a path of
  /// which the value is the present one has it as its version. 0: a fresh one. A signal's is lower
  /// than all versions, because the signal may repeat what a binding both ways has brought.
  private var numberOfHeard: UInt64 {
    if isAtProperty { return emitter?.deliveredNumber ?? 0 }
    guard let other, other.isAtProperty else { return boundPath == nil ? 1 : 0 }
    return heardNumber != 0 ? heardNumber : ValueNumbers.next()
  }

  /// Converts a value, and passes it to the other end. Answers what that says.
  func pass(_ value: Value, _ number: UInt64) -> Code {
    // Another thread may have ended it. No conversion begins then.
    guard let other, !other.isClosed else { return .ended }
    var passed = value
    if let convert {
      do throws(Failure) {
        passed = try convert(value)
      } catch {
        end(.failed(error))
        return error.code
      }
    } else {
      keep(value)
    }
    defer { discard(passed) }
    if other.isClosed { return .ended }
    let (code, told) = LastFailure.explaining { other.accept(passed, number) }
    if code == .ended || code == .canceled || code == .dead {
      dispose()
    } else if code.isFailure {
      // The binding ends with the error, because a gap would go unseen.
      end(.failed(told ?? Failure(code)))
    }
    return code
  }

  private func accept(_ value: Value, _ number: UInt64) -> Code {
    if let boundPath, let record = boundPath.record {
      let value = unsafeBitCast(value, to: ForeignValue.self, ofType: Value.self)
      return boundPath.set(record, value, number)
    }
    if let store { return store(value, number) }
    return isAtProperty ? liveEmitter?.accept(value, number) ?? .dead : .ok
  }

  var liveEmitter: PropertyEmitter<Value>? { lock.withLock { emitter } }

  override func onDisposed() {
    guard let other = untie() else { return }
    _ = other.untie()
    // A conversion of the other end may be running, for which the death of this side waits, too.
    Quiescence.dispose(other, of: self)
  }

  private func untie() -> BoundEnd? {
    lock.withLock {
      defer { tied = nil }
      return tied
    }
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

/// A side that can be bound: a property, or a path of an owner.
package final class Bindable {
  private let property: Property<ForeignValue>?
  private let record: OwnerRecord?
  private let path: PathKey?
  /// Converts a value on its way to the other side; nil: it is passed on unchanged. The result is kept.
  package var convert: ((ForeignValue) throws(Failure) -> ForeignValue)?

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

  private func end(at home: Home, facesPath: Bool, isTwoWay: Bool) -> BoundEnd<ForeignValue> {
    var boundPath: BoundPath?
    if facesPath || path != nil {
      boundPath = BoundPath(record, path, isTwoWay: isTwoWay)
    }
    return BoundEnd(at: home, property?.emitter, boundPath)
  }

  /// Makes `end` end with the property or the owner, even if it does not subscribe.
  private func hold(_ end: BoundEnd<ForeignValue>) {
    property?.add(end)
    record?.add(end)
  }

  private func hear(_ end: BoundEnd<ForeignValue>, startingFromOther: Bool) -> Code {
    var signal = property?.signal
    if let record, let path {
      let isTwoWay = end.boundPath?.isTwoWay ?? false
      signal = record.observe(path, isTwoWay ? [.initial, .binding] : .initial)
    }
    return signal.map { end.hear($0, startingFromOther: startingFromOther) } ?? .invalid
  }

  /// Passes the value of this to `other`, now and at each change. With `bothWays`, a value that the
  /// other is set to is passed back, too, unless it came through this binding. The binding lasts
  /// until the result is disposed of, or one side goes. It retains neither side.
  ///
  /// - Parameters:
  ///   - held: released when no conversion can run any more.
  ///   - callsFree: whether that calls something of the program's.
  /// - Returns: `.wrongThread` if one side is a property that is not at home on this thread.
  package func bind(
    to other: Bindable, bothWays: Bool, holding held: AnyObject?, callsFree: Bool
  ) -> (code: Code, disposable: Disposable) {
    var home = Home.current
    if !isHere(home) || !other.isHere(home) { return (.wrongThread, NopDisposable.shared) }
    // The value of a path changes on any thread.
    if (property == nil || other.property == nil) && !home.acceptsMessages { home = SharedHome() }
    let here = end(at: home, facesPath: other.path != nil, isTwoWay: bothWays)
    let far = other.end(at: home, facesPath: path != nil, isTwoWay: bothWays)
    here.convert(convert, holding: held)
    far.convert(other.convert, holding: held)
    if callsFree { (here.endsSilently, far.endsSilently) = (false, false) }
    here.tie(to: far)
    hold(here)
    other.hold(far)
    // The death of either side waits for a conversion, and none begins after it.
    if convert != nil { other.record?.add(here) }
    if other.convert != nil { record?.add(far) }
    var code = Code.ok
    if bothWays { code = other.hear(far, startingFromOther: true) }
    // A path of which nobody hears takes each value; two properties compare their numbers.
    if here.boundPath == nil { property?.emitter.numberValuesAnew() }
    if bothWays { here.boundPath?.begin(here, facing: far) }
    if !code.isFailure { code = hear(here, startingFromOther: false) }
    return (code, here)
  }

  /// Sets this to each value of `signal`, until the result is disposed of or this goes.
  package func follow(_ signal: Signal<ForeignValue>) -> (code: Code, disposable: Disposable) {
    let home = signal.subscriptionHome(nil)
    let (here, there) = (
      BoundEnd<ForeignValue>(at: home, nil), end(at: home, facesPath: false, isTwoWay: false)
    )
    here.tie(to: there)
    hold(there)
    // The death waits for what runs above it, too.
    record?.add(here)
    return (here.hear(signal), here)
  }
}
