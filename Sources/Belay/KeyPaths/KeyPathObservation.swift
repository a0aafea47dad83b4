/// What happened to what a key path leads to.
public struct KeyPathChange<Value> {
  /// The value; before a change that is about to happen, the old one.
  public let value: Value
  /// Unless it was not asked for.
  public let old: Value?
  /// Not a change: the value at the moment of subscribing.
  public let isInitial: Bool
  /// The change is about to happen.
  public let isPrior: Bool
  /// What a weak reference referred to is dying.
  public let isDeath: Bool
  /// What changed was read last on the way: no object before has changed.
  public let affectsOnlyLast: Bool
}

/// How a key path is observed.
public struct KeyPathOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// The value at the moment of subscribing is sent.
  public static let initial = KeyPathOptions(rawValue: 1)
  /// The old value is told.
  public static let old = KeyPathOptions(rawValue: 2)
  /// Each change is told of before it happens, too.
  public static let prior = KeyPathOptions(rawValue: 4)
}

/// For key paths of the type itself.
public protocol KeyPathObservable: Object {}
extension Object: KeyPathObservable {}

extension KeyPathObservable {
  /// The value that a key path leads to, now and whenever anything that is read on the way to it
  /// changes; at the subscriber's loop, else on the thread that makes the change. Completes when
  /// this or `observer` dies; keeps neither alive. (RACObserve; RxSwift's observe(_: KeyPath).)
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, observer: OwnerRecord? = nil
  ) -> Signal<Value> {
    changes(of: keyPath, .initial, observer: observer).map { $0.value }
  }

  /// The same, telling what each change was.
  public func changes<Value>(
    of keyPath: KeyPath<Self, Value>, _ options: KeyPathOptions = [],
    observer: OwnerRecord? = nil
  ) -> Signal<KeyPathChange<Value>> {
    changes(of: keyPath, options, observer: observer, ignoring: nil)
  }

  func changes<Value>(
    of keyPath: KeyPath<Self, Value>, _ options: KeyPathOptions, observer: OwnerRecord?,
    ignoring ignored: KeyPathOrigin?
  ) -> Signal<KeyPathChange<Value>> {
    var source = SourceOptions(label: "observe")
    source.isShared = true
    source.prefersHops = true
    let record = owner.record
    return .create(source) { [weak self] subscriber in
      let made = KeyPathObservation<Value>(options, observer, ignored, subscriber) {
        self.map { $0[keyPath: keyPath] }
      }
      made.start(at: record)
      return made
    }
  }

  /// Sets what a key path of `other` leads to, to what `keyPath` leads to, now and whenever it
  /// changes; with `back`, the other way, too, but nothing that came through this binding. Until
  /// the result is disposed of, or either object goes. Keeps neither.
  @discardableResult
  public func bind<Value, Other: Object, OtherValue>(
    _ keyPath: ReferenceWritableKeyPath<Self, Value>, to other: Other,
    _ otherKeyPath: ReferenceWritableKeyPath<Other, OtherValue>,
    _ convert: @escaping (Value) -> OtherValue, back: ((OtherValue) -> Value)? = nil
  ) -> Disposable {
    let (here, there) = (KeyPathOrigin(), KeyPathOrigin())
    let compound = CompoundDisposable()
    compound.add(
      changes(of: keyPath, .initial, observer: other.owner.record, ignoring: here).subscribe(
        next: { [weak other] change in
          KeyPathTracking.$origin.withValue(there) {
            other?[keyPath: otherKeyPath] = convert(change.value)
          }
        }, disposed: { compound.dispose() }))
    if let back {
      compound.add(
        other.changes(of: otherKeyPath, [], observer: owner.record, ignoring: there).subscribe(
          next: { [weak self] change in
            KeyPathTracking.$origin.withValue(here) {
              self?[keyPath: keyPath] = back(change.value)
            }
          }, disposed: { compound.dispose() }))
    }
    return compound
  }

  /// The same for values of one type; with `bothWays`, `keyPath` follows the other.
  @discardableResult
  public func bind<Value, Other: Object>(
    _ keyPath: ReferenceWritableKeyPath<Self, Value>, to other: Other,
    _ otherKeyPath: ReferenceWritableKeyPath<Other, Value>, bothWays: Bool = false
  ) -> Disposable {
    bind(keyPath, to: other, otherKeyPath, { $0 }, back: bothWays ? { $0 } : nil)
  }
}

/// One subscription to what a key path leads to: reads it, and observes by the core's keys
/// whatever is read meanwhile.
private final class KeyPathObservation<Value>: SerialObservation, @unchecked Sendable {
  private final class Event: Attachment, @unchecked Sendable {
    let hop: Int
    let generation: Int
    let notes: ChangeNotes

    init(_ hop: Int, _ generation: Int, _ notes: ChangeNotes) {
      self.hop = hop
      self.generation = generation
      self.notes = notes
      super.init()
    }
  }

  /// What is noted while the path is read.
  private final class Tracking: KeyPathTracking, @unchecked Sendable {
    let observation: KeyPathObservation
    init(_ observation: KeyPathObservation) { self.observation = observation }

    override func note(_ record: OwnerRecord, _ key: CText) { observation.watch(record, key) }
    override func noteDeath(of record: OwnerRecord) { observation.watchDeath(of: record) }
  }

  private let options: KeyPathOptions
  private let observer: OwnerRecord?
  private let ignored: KeyPathOrigin?
  private let subscriber: Subscriber<KeyPathChange<Value>>
  /// Nil when the object is gone.
  private let read: () -> Value?
  /// Under the lock.
  private var hops: [Disposable] = []
  // For whoever is busy: how many hops there are, unless it has been disposed of, …
  private var hopCount = 0
  // … and what they watch.
  private var known: [(OwnerRecord, CText)] = []
  private var lastKey = 0
  private var generation = 0
  private var old: Value?

  init(
    _ options: KeyPathOptions, _ observer: OwnerRecord?, _ ignored: KeyPathOrigin?,
    _ subscriber: Subscriber<KeyPathChange<Value>>, _ read: @escaping () -> Value?
  ) {
    self.options = options
    self.observer = observer
    self.ignored = ignored
    self.subscriber = subscriber
    self.read = read
    super.init()
  }

  func start(at record: OwnerRecord) {
    record.add(self)
    observer?.add(self)
    let value = arm()
    if options.contains(.initial), let value { send(value, .initial, hop: -1) }
    workOff()
  }

  override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    disarm(after: -1)
    finalise()
    subscriber.completed()
  }

  // MARK: Hops

  private func arm() -> Value? {
    disarm(after: -1)
    hopCount = 0
    generation += 1
    known = []
    if isClosed { return nil }
    return KeyPathTracking.$current.withValue(Tracking(self)) { read() }
  }

  private func watch(_ record: OwnerRecord, _ key: CText) {
    if known.contains(where: { $0.0 === record && $0.1 === key }) { return }
    known.append((record, key))
    lastKey = hopCount
    let (hop, generation) = (hopCount, generation)
    hold(record.observe(PathKey(key, nil), [.prior, .records], ignoring: ignored)) {
      [weak self] sent in
      guard let items = (sent.entity as? ArrayBox)?.items else { return }
      let notes = ChangeNotes(rawValue: UInt32(truncatingIfNeeded: items[2].payload))
      self?.hear(Event(hop, generation, notes))
    }
  }

  private func watchDeath(of record: OwnerRecord) {
    if record === observer { return }
    let (hop, generation) = (hopCount, generation)
    hold(record.deallocating) { [weak self] _ in self?.hear(Event(hop, generation, .death)) }
  }

  /// Subscribes where the changes are made: whose thread arms a hop may be anybody's, and its loop
  /// gone before the next change.
  private func hold<Sent>(_ changes: Signal<Sent>, _ next: @escaping (Sent) -> Void) {
    let home = SharedHome()
    let hop = ClosureSubscription<Sent>(
      next, { [weak self] failure in self?.subscriber.error(failure) }, nil, nil, home)
    _ = changes.start(hop, owner: nil, at: home)
    hopCount += 1
    let isOpen = lock.withLock {
      if !isClosed { hops.append(hop) }
      return !isClosed
    }
    if !isOpen { hop.dispose() }
  }

  private func disarm(after hop: Int) {
    let left = lock.withLock {
      let left = hops.dropFirst(hop + 1)
      hops.removeLast(left.count)
      return left
    }
    for hop in left { hop.dispose() }
  }

  // MARK: Changes

  override func process(_ change: Attachment) {
    if let event = change as? Event { process(event) }
  }

  override func fail(_ code: Code) { subscriber.error(Failure(code)) }

  private func process(_ event: Event) {
    if isClosed || event.generation != generation || event.hop >= hopCount { return }
    if event.notes.contains(.prior) {
      let asksForOld = !options.isDisjoint(with: [.old, .prior])
      let before = asksForOld ? read() : nil
      old = options.contains(.old) ? before : nil
      disarm(after: event.hop)
      hopCount = event.hop + 1
      if options.contains(.prior), let before { send(before, event.notes, hop: event.hop) }
    } else {
      let last = lastKey
      guard let value = arm() else { return }
      send(value, event.notes, hop: event.hop, last: max(last, lastKey))
      old = nil
    }
  }

  private func send(_ value: Value, _ notes: ChangeNotes, hop: Int, last: Int? = nil) {
    let change = KeyPathChange(
      value: value, old: old, isInitial: notes.contains(.initial),
      isPrior: notes.contains(.prior), isDeath: notes.contains(.death),
      affectsOnlyLast: hop >= 0 && hop >= (last ?? lastKey))
    let code = subscriber.next(change)
    if code.isRefusal { fail(code) }
  }
}
