import Synchronization

/// A current value that can be set, and a signal of it. The signal completes when the last
/// reference to the property goes. (ReactiveSwift's MutableProperty, RxSwift's BehaviorRelay.)
///
/// A value that is set from inside a delivery is the current one at once. It is sent after the
/// event in progress has reached all subscribers.
public final class Property<Value>: Entity, @unchecked Sendable {
  let emitter: PropertyEmitter<Value>
  /// Sends the current value to each new subscriber, then each value that is set. It does not
  /// retain the property.
  public let signal: Signal<Value>

  /// - Parameters:
  ///   - initial: the first value. The property takes over the caller's reference.
  ///   - options: `reentrancy` is ignored: a property queues.
  public init(_ initial: Value, _ options: SourceOptions = SourceOptions()) {
    var options = options
    options.isShared = false
    options.reentrancy = .queue
    emitter = .make(initial, options)
    signal = HotSignal(emitter, "property")
    super.init()
  }

  deinit {
    bindings?.dispose()
    _ = emitter.send(.completed)
    emitter.abandon()
  }

  /// The bindings that set this, and that end with it.
  private var bindings: CompoundDisposable?
  private let lock = Lock()

  func add(_ binding: Disposable) {
    let all = lock.withLock {
      let all = bindings ?? CompoundDisposable()
      bindings = all
      return all
    }
    all.add(binding)
  }

  /// The value that was set last. A value that was set on another thread counts when it has reached
  /// the home. Any thread may read it.
  public var value: Value {
    let value = emitter.keptValue
    discard(value)
    return value
  }

  package var keptValue: Value { emitter.keptValue }

  /// Sets the value, which is borrowed. Any thread may call this; on another thread than the home's
  /// the value is queued.
  @discardableResult
  public func set(_ value: Value) -> Code { emitter.accept(value) }

  /// Sets the value to what `change` makes of it. Must be called at home; elsewhere it answers
  /// `.wrongThread`.
  ///
  /// - Throws: whatever `change` throws; then nothing is set.
  @discardableResult
  public func modify<Thrown: Error>(_ change: (Value) throws(Thrown) -> Value) throws(Thrown)
    -> Code
  {
    let home = emitter.ownHome
    if !home.isCurrent {
      return try home.onActor { () throws(Thrown) in try modify(change) } ?? .wrongThread
    }
    let before = emitter.keptValue
    defer { discard(before) }
    let after = try change(before)
    let code = emitter.accept(after)
    discard(after)
    return code
  }
}

/// The signal of a source that another object owns.
final class HotSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let emitter: Emitter<Value>
  private let kind: StaticString

  init(
    _ emitter: Emitter<Value>, _ kind: StaticString, _ arrival: Route.Arrival = .atSource
  ) {
    self.emitter = emitter
    self.kind = kind
    super.init()
    route = Route(to: emitter.ownHome, arrival)
  }

  override var builtName: Text { emitter.label?.text ?? kind.string }
  package override var ownSource: Source? { emitter }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    emitter.attach(sink, at: home)
  }
}

/// Numbers for the values that bound properties are set to. A later value has a higher number.
enum ValueNumbers {
  private static let last = Atomic<UInt64>(1)

  static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// Remembers the value that was set last, and the one that was delivered last.
final class PropertyEmitter<Value>: Emitter<Value>, @unchecked Sendable {
  // Never nil, because `make` sets them. (Embedded Swift 6.3 refuses an initializer here that hides
  // the inherited one.)
  private var latest: Value?
  private var shown: Value?
  private let lock = Lock()
  /// For a bound property: the numbers of the values that were accepted and not delivered yet, and
  /// of the one delivered last. A value keeps its number on its way through bindings, so that it
  /// reaches each property once, even if the bindings form a ring.
  private var numbers = FIFO<UInt64>()
  private(set) var deliveredNumber: UInt64 = 0
  private(set) var acceptedNumber: UInt64 = 0
  private var undelivered = 0

  /// Takes over the reference to `initial`.
  static func make(_ initial: Value, _ options: SourceOptions) -> PropertyEmitter {
    let made = PropertyEmitter(options)
    keep(initial)
    made.latest = initial
    made.shown = initial
    return made
  }

  deinit {
    discard(latest.unsafelyUnwrapped)
    discard(shown.unsafelyUnwrapped)
    numbers.removeAll()
  }

  override var chainNameOfUnlabelled: Text { "property" }

  var keptValue: Value {
    lock.withLock {
      let value = latest.unsafelyUnwrapped
      keep(value)
      return value
    }
  }

  /// The value that was delivered last. Used at home.
  var keptShown: Value {
    let value = shown.unsafelyUnwrapped
    keep(value)
    return value
  }

  private func exchangeLatest(_ value: Value) -> Value {
    lock.withLock {
      let old = latest.unsafelyUnwrapped
      latest = value
      return old
    }
  }

  override func accept(_ value: Value) -> Code { accept(value, 0) }

  /// Accepts a value that has `number` where it comes from; 0: it gets a new number. A value that
  /// has been here, or is older than one that has, is dropped.
  func accept(_ value: Value, _ number: UInt64) -> Code {
    if !ownHome.isCurrent {
      return ownHome.onActor { accept(value, number) } ?? sendByProcess(value)
    }
    let before = acceptedNumber
    if number != 0 && number <= before { return .ok }
    keep(value)
    let old = exchangeLatest(value)
    undelivered += 1
    if deliveredNumber != 0 {
      note(number != 0 ? number : ValueNumbers.next())
    }
    let code = sendByProcess(value)
    if code.isFailure {
      // No subscriber has been called.
      undelivered -= 1
      _ = numbers.popLast()
      acceptedNumber = before
      discard(exchangeLatest(old))
    } else {
      discard(old)
    }
    return code
  }

  /// Numbers the values from now on, because the property is being bound.
  func numberValues() { if deliveredNumber == 0 { numberValues(from: 1) } }

  /// Gives new numbers to the present value and to those that wait, so that they replace the value at
  /// the other end of a binding.
  func numberValuesAnew() { numberValues(from: ValueNumbers.next()) }

  private func numberValues(from first: UInt64) {
    numbers.removeAll()
    acceptedNumber = first
    deliveredNumber = first
    for _ in 0..<undelivered { note(ValueNumbers.next()) }
  }

  @inline(never)
  private func note(_ number: UInt64) {
    acceptedNumber = number
    numbers.append(number)
  }

  override func process(_ event: PendingEvents<Value>.Event) {
    if case .value(let value) = event, !hasEnded {
      keep(value)
      let old = shown.unsafelyUnwrapped
      shown = value
      undelivered -= 1
      if let number = numbers.popFirst() { deliveredNumber = number }
      discard(old)
    }
    super.process(event)
  }

  override func replay(to sink: Sink<Value>) {
    if !hasEnded { replay(kept: keptShown, to: sink) }
  }
}
