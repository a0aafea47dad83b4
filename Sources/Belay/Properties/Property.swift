import Synchronization

/// A box with a current value, and a signal of it. Its signal completes when its last reference
/// goes. (MutableProperty, BehaviorRelay elsewhere.)
///
/// What is set from inside a delivery is the value at once, and sent when the event in progress has
/// reached everybody.
public final class Property<Value>: Entity, @unchecked Sendable {
  let emitter: PropertyEmitter<Value>
  /// Sends the current value to each newcomer, then what is set. Does not keep the property.
  public let signal: Signal<Value>

  /// - Parameters:
  ///   - initial: the first value; taken over.
  ///   - options: a property has a home, and queues; what they say of that is not used.
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

  /// What sets it, and ends with it.
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

  /// The value set last; on other threads than the home's, what has arrived there. Any thread.
  public var value: Value {
    let value = emitter.keptValue
    discard(value)
    return value
  }

  package var keptValue: Value { emitter.keptValue }

  /// Sets the value, which is borrowed. Any thread; away from home it is queued there.
  @discardableResult
  public func set(_ value: Value) -> Code { emitter.take(value) }

  /// Sets what `change` makes of the value. At home only: elsewhere `.wrongThread`.
  ///
  /// - Throws: what `change` throws, and then nothing is set.
  @discardableResult
  public func modify(_ change: (Value) throws(Failure) -> Value) throws(Failure) -> Code {
    if !emitter.ownHome.isCurrent { return .wrongThread }
    let before = emitter.keptValue
    defer { discard(before) }
    let after = try change(before)
    let code = emitter.take(after)
    discard(after)
    return code
  }
}

/// The signal of a source that is somebody else's.
final class HotSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let emitter: Emitter<Value>
  private let kind: StaticString

  init(_ emitter: Emitter<Value>, _ kind: StaticString) {
    self.emitter = emitter
    self.kind = kind
    super.init()
  }

  override var builtName: Text { emitter.label?.text ?? kind.string }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    emitter.attach(sink, at: home)
  }
}

/// Tells apart the values that bound properties are set to; a later one has a higher number.
enum ValueNumbers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

/// Keeps the value set last, and that delivered last.
final class PropertyEmitter<Value>: Emitter<Value>, @unchecked Sendable {
  // Never nil: set by `make`. (An initializer of its own, which would hide the inherited one, is
  // refused by Embedded Swift 6.3.)
  private var latest: Value?
  private var shown: Value?
  private let lock = Lock()
  /// Of a property that was bound: the numbers of the values that are taken and not delivered, and
  /// of the one delivered last. A value keeps its number on its way through bindings, so that it
  /// comes to each property once, in whatever rings they are bound.
  private var numbers: FIFO<UInt64>?
  private(set) var deliveredNumber: UInt64?
  private var takenNumber: UInt64 = 0
  private var undelivered = 0

  /// Takes `initial` over.
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
    numbers?.removeAll()
  }

  override var chainNameOfUnlabelled: Text { "property" }

  var keptValue: Value {
    lock.withLock {
      let value = latest.unsafelyUnwrapped
      keep(value)
      return value
    }
  }

  private func exchangeLatest(_ value: Value) -> Value {
    lock.withLock {
      let old = latest.unsafelyUnwrapped
      latest = value
      return old
    }
  }

  override func take(_ value: Value) -> Code { take(value, nil) }

  /// `number`: that of the value where it comes from; nil: it begins here. What has been here
  /// already, or is older than what has, is not taken.
  func take(_ value: Value, _ number: UInt64?) -> Code {
    if !ownHome.isCurrent { return sendByProcess(value) }
    let before = takenNumber
    if let number, number <= before { return .ok }
    keep(value)
    let old = exchangeLatest(value)
    undelivered += 1
    if numbers != nil {
      takenNumber = number ?? ValueNumbers.next()
      numbers?.append(takenNumber)
    }
    let code = sendByProcess(value)
    if code.isFailure {
      // Nothing has been called.
      undelivered -= 1
      _ = numbers?.popLast()
      takenNumber = before
      discard(exchangeLatest(old))
    } else {
      discard(old)
    }
    return code
  }

  /// Begins to number the values: somebody is going to be bound.
  func numberValues() { if numbers == nil { numberValuesAnew() } }

  /// The present value, and those that wait, become new ones: a property that is being bound sets
  /// the other end to what it is.
  func numberValuesAnew() {
    var fresh = FIFO<UInt64>()
    deliveredNumber = ValueNumbers.next()
    takenNumber = deliveredNumber ?? 0
    for _ in 0..<undelivered {
      takenNumber = ValueNumbers.next()
      fresh.append(takenNumber)
    }
    numbers?.removeAll()
    numbers = consume fresh
  }

  override func process(_ event: PendingEvents<Value>.Event) {
    if case .value(let value) = event, !hasEnded {
      keep(value)
      let old = shown.unsafelyUnwrapped
      shown = value
      undelivered -= 1
      if let number = numbers?.popFirst() { deliveredNumber = number }
      discard(old)
    }
    super.process(event)
  }

  override func replay(to sink: Sink<Value>) {
    if hasEnded { return }
    let value = shown.unsafelyUnwrapped
    keep(value)
    visit { sink.deliver(value) }
    discard(value)
  }
}
