/// One of two ends that are bound: hears of values at its own, and passes them to the other. Goes with
/// the other one.
class BoundEnd<Value>: Subscription<Value>, @unchecked Sendable {
  let ownHome: Home
  var other: BoundEnd?
  /// What goes from here to the other end; nil: as it is. What it answers is kept.
  var convert: ((Value) throws(Failure) -> Value)?
  /// What lives as long as this may be called.
  var held: AnyObject?
  /// Whether what it hears is what the other end has to begin with.
  private var isStarting = false
  private(set) var hears = false

  init(at home: Home) {
    ownHome = home
    super.init()
  }

  final override var fixedHome: Home? { ownHome }

  /// Whether the value that is heard came from the other end.
  func isEcho() -> Bool { false }

  /// Listens to `signal`, whose values go to the other end.
  final func hear(_ signal: Signal<Value>, startingFromOther: Bool = false) -> Code {
    hears = true
    isStarting = startingFromOther
    let code = signal.start(self, owner: nil, at: ownHome)
    isStarting = false
    return code
  }

  /// Takes a value from the other end, borrowed.
  func take(_ value: Value) -> Code { .ok }

  final override func next(_ value: Value) {
    guard !isClosed, !isStarting, !isEcho(), let other else { return }
    guard let convert else { return pass(value, to: other) }
    do throws(Failure) {
      let converted = try convert(value)
      pass(converted, to: other)
      discard(converted)
    } catch {
      end(.failed(error))
    }
  }

  private final func pass(_ value: Value, to other: BoundEnd) {
    if other.isClosed { return }
    let code = other.take(value)
    if code == .dead || code == .ended || code == .canceled {
      dispose()
    } else if code.isFailure {
      // A gap would go unseen.
      end(.failed(Failure(code)))
    }
  }

  final override func onDisposed() {
    let other = other
    self.other = nil
    other?.dispose()
  }

  final override func freeContext() {
    convert = nil
    held = nil
  }
}

/// The end at a property.
final class PropertyEnd<Value>: BoundEnd<Value>, @unchecked Sendable {
  private let emitter: PropertyEmitter<Value>
  /// The numbers of the values that came from the other end and are not delivered yet.
  private var echoes: [UInt64] = []

  init(_ emitter: PropertyEmitter<Value>) {
    self.emitter = emitter
    super.init(at: emitter.ownHome)
  }

  override func isEcho() -> Bool {
    guard let echo = echoes.first, echo == emitter.delivered else { return false }
    echoes.removeFirst()
    return true
  }

  override func take(_ value: Value) -> Code {
    if !hears || !ownHome.isCurrent { return emitter.take(value) }
    echoes.append(emitter.taken + 1)
    // Refused, it has called nobody: the last one is still this.
    let code = emitter.take(value)
    if code.isFailure { echoes.removeLast() }
    return code
  }
}

/// The end at what a path of an owner's leads to. (Its values are always `ForeignValue`s; generic, as
/// all sinks must be.)
final class KeyEnd<Value>: BoundEnd<Value>, @unchecked Sendable {
  private let record: OwnerRecord
  private let path: [CText]

  init(_ record: OwnerRecord, _ path: [CText], at home: Home) {
    self.record = record
    self.path = path
    super.init(at: home)
  }

  override func take(_ value: Value) -> Code {
    let bits = unsafeBitCast(value, to: ForeignValue.self, ofType: Value.self)
    // What is there already is not set again: so bindings may be in a ring.
    let present = record.value(at: path)
    let isThere = present.code == .ok && present.value.isEqual(to: bits)
    discard(present.value)
    if isThere { return .ok }
    let code = record.set(path, bits, from: self)
    // A path that leads nowhere now may lead somewhere later.
    return code == .dead && !record.isDying ? .ok : code
  }
}

/// What can be bound: a property, or what a path of an owner's leads to.
package enum Bindable {
  case property(Property<ForeignValue>)
  case key(OwnerRecord, [CText])

  private var home: Home? {
    if case .property(let property) = self { return property.emitter.ownHome }
    return nil
  }

  private func end(at home: Home) -> BoundEnd<ForeignValue> {
    switch self {
    case .property(let property): return PropertyEnd(property.emitter)
    case .key(let record, let path):
      let end = KeyEnd<ForeignValue>(record, path, at: home)
      // Whether it listens or not, it goes with the owner.
      record.add(end)
      return end
    }
  }

  private func signal(for end: BoundEnd<ForeignValue>) -> Signal<ForeignValue> {
    switch self {
    case .property(let property): property.signal
    case .key(let record, let path): record.observe(path, .initial, ignoring: end)
    }
  }

  /// Passes what happens to this one to `other`, beginning with what it is now; both ways, what the
  /// other is set to here, too, but nothing that came through this binding. Until the result is
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
    let current = Home.current
    if home.map({ $0 !== current }) ?? false || other.home.map({ $0 !== current }) ?? false {
      return (.wrongThread, NopDisposable.shared)
    }
    let place = home ?? other.home ?? (current.acceptsMail ? current : SharedHome.shared)
    let (here, far) = (end(at: place), other.end(at: place))
    here.other = far
    far.other = here
    here.convert = there
    far.convert = back
    here.held = held
    far.held = held
    var code = Code.ok
    if bothWays { code = far.hear(other.signal(for: far), startingFromOther: true) }
    if !code.isFailure && !here.isClosed { code = here.hear(signal(for: here)) }
    if code.isFailure || far.isClosed { here.dispose() }
    return (code, here)
  }

  /// Sets this to what `signal` sends, until the result is disposed of, or this goes.
  package func follow(_ signal: Signal<ForeignValue>) -> (code: Code, disposable: Disposable) {
    let place = home ?? signal.subscriptionHome(nil)
    let (here, far) = (BoundEnd<ForeignValue>(at: place), end(at: place))
    here.other = far
    far.other = here
    if far.isClosed { here.dispose() }
    return (here.isClosed ? .ok : here.hear(signal), here)
  }
}
