/// A change of the value at a key path.
public struct KeyPathChange<Value> {
  /// The new value; before a change, the old one.
  public let value: Value
  /// The old value, if it was asked for.
  public let old: Value?
  /// Whether this is no change but the value at the moment of subscribing.
  public let isInitial: Bool
  /// Whether the change is about to happen.
  public let isPrior: Bool
  /// Whether the target of a weak reference is dying.
  public let isDeath: Bool
  /// Whether the property that changed is read last on the way, so that no object before it has
  /// changed.
  public let affectsOnlyLast: Bool
  /// For a binding.
  let versions: KeyVersions
}

/// Options of the observation of a key path.
public struct KeyPathOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Send the value at the moment of subscribing.
  public static let initial = KeyPathOptions(rawValue: 1)
  /// Send the old value, too.
  public static let old = KeyPathOptions(rawValue: 2)
  /// Report each change also before it happens.
  public static let prior = KeyPathOptions(rawValue: 4)
}

/// Gives the functions for key paths the type of the object itself.
public protocol KeyPathObservable: Object {}
extension Object: KeyPathObservable {}

extension KeyPathObservable {
  /// A signal of the value at a key path, now and whenever a property that is read on the way to it
  /// changes. It reads on the thread that makes the change, and sends at the subscriber's loop, or
  /// else on that thread. It completes when this or `observer` dies, and keeps neither alive.
  /// (RACObserve; RxSwift's observe(_: KeyPath).)
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, observer: OwnerRecord? = nil
  ) -> Signal<Value> {
    changes(of: keyPath, .initial, observer: observer).map { $0.value }
  }

  /// The same, but sends nil before the completion when this dies, unless this is the observer.
  /// (RxSwift's observeWeakly.)
  public func observeWeakly<Value>(
    _ keyPath: KeyPath<Self, Value>, observer: OwnerRecord? = nil
  ) -> Signal<Value?> {
    let record = owner.record
    return observe(keyPath, observer: observer).map { $0 }.concat(
      .defer { record.isDying && record !== observer ? .just(nil) : .empty() })
  }

  /// The same, with a description of each change.
  public func changes<Value>(
    of keyPath: KeyPath<Self, Value>, _ options: KeyPathOptions = [],
    observer: OwnerRecord? = nil
  ) -> Signal<KeyPathChange<Value>> {
    changes(of: keyPath, options, observer: observer, reminder: nil)
  }

  /// `reminder`: for a binding, which needs the version of each value.
  func changes<Value>(
    of keyPath: KeyPath<Self, Value>, _ options: KeyPathOptions, observer: OwnerRecord?,
    reminder: KeyPathReminder?
  ) -> Signal<KeyPathChange<Value>> {
    var sourceOptions = SourceOptions(label: "observe")
    sourceOptions.isShared = true
    sourceOptions.prefersHops = true
    let record = owner.record
    return .create(sourceOptions) { [weak self] subscriber in
      let made = KeyPathObservation<Value>(
        options, observer, isOfBinding: reminder != nil, subscriber
      ) {
        self.map { $0[keyPath: keyPath] }
      }
      reminder?.set(made)
      made.start(at: record)
      return made
    }
  }

  /// Sets a key path of `other` to the value at `keyPath`, now and at each change. With `back`, the
  /// other way, too: both sides come to the value that was set last, also if bindings form a ring,
  /// and threads set several of its sides. The value that comes from a side does not go back there.
  /// The binding reads both key paths. It lasts until the result is disposed of, or either object
  /// goes. It retains neither.
  ///
  /// It reads on the thread that makes a change, and sets at the loop of the thread that binds, or
  /// else on that thread. `@Observed` properties have no lock, and must not be used by another
  /// thread meanwhile.
  @discardableResult
  public func bind<Value, Other: Object, OtherValue>(
    _ keyPath: ReferenceWritableKeyPath<Self, Value>, to other: Other,
    _ otherKeyPath: ReferenceWritableKeyPath<Other, OtherValue>,
    _ convert: @escaping (Value) -> OtherValue, back: ((OtherValue) -> Value)? = nil
  ) -> Disposable {
    let compound = CompoundDisposable()
    let exchange = KeyPathExchange(isTwoWay: back != nil)
    let (here, there) = (KeyPathReminder(), KeyPathReminder())
    // First, because what it is set to may make the other side change its value.
    if let back {
      compound.add(
        other.changes(of: otherKeyPath, [], observer: owner.record, reminder: there).subscribe(
          next: { [weak self] change in
            guard let self else { return }
            let isNewest = KeyPathCopy.set(
              keyPath, of: self, from: change.versions, in: exchange, there: false
            ) { back(change.value) }
            if !isNewest { here.remind() }
          }, disposed: { compound.dispose() }))
    }
    compound.add(
      changes(of: keyPath, .initial, observer: other.owner.record, reminder: here).subscribe(
        next: { [weak other] change in
          guard let other else { return }
          let isNewest = KeyPathCopy.set(
            otherKeyPath, of: other, from: change.versions, in: exchange, there: true
          ) { convert(change.value) }
          if !isNewest { there.remind() }
        }, disposed: { compound.dispose() }))
    return compound
  }

  /// The same for values of one type. With `bothWays`, `keyPath` also follows the other.
  @discardableResult
  public func bind<Value, Other: Object>(
    _ keyPath: ReferenceWritableKeyPath<Self, Value>, to other: Other,
    _ otherKeyPath: ReferenceWritableKeyPath<Other, Value>, bothWays: Bool = false
  ) -> Disposable {
    bind(keyPath, to: other, otherKeyPath, { $0 }, back: bothWays ? { $0 } : nil)
  }
}

/// One subscription to the value at a key path. It reads the value, and observes each key that is
/// read on the way. (It starts and ends like a `PathObservation`, which knows foreign values only.
/// A generic base of both would make the library bigger.)
private final class KeyPathObservation<Value>: SerialObservation, @unchecked Sendable {
  /// A change of one of the keys that were read.
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

  /// Notes the keys that are read.
  private final class Tracking: KeyPathTracking, @unchecked Sendable {
    let observation: KeyPathObservation
    init(_ observation: KeyPathObservation) { self.observation = observation }

    override func note(_ record: OwnerRecord, _ key: CText) { observation.watch(record, key) }
    override func noteDeath(of record: OwnerRecord) { observation.watchDeath(of: record) }
  }

  private let options: KeyPathOptions
  private let observer: OwnerRecord?
  private let isOfBinding: Bool
  private let subscriber: Subscriber<KeyPathChange<Value>>
  /// Reads the value; nil if the object has gone.
  private let read: () -> Value?
  /// The subscriptions to the keys that were read. The lock protects them.
  private var hops: [Disposable] = []
  /// The number of hops, unless this has been disposed of. For the thread that processes a change.
  private var hopCount = 0
  /// The keys that the hops watch. For the same thread.
  private var known = KeyVersions()
  /// For a binding: those of the value that was sent last.
  private var sent = KeyVersions()
  private var lastKey = 0
  private var generation = 0
  private var old: Value?

  init(
    _ options: KeyPathOptions, _ observer: OwnerRecord?, isOfBinding: Bool,
    _ subscriber: Subscriber<KeyPathChange<Value>>, _ read: @escaping () -> Value?
  ) {
    self.options = options
    self.observer = observer
    self.isOfBinding = isOfBinding
    self.subscriber = subscriber
    self.read = read
    super.init()
  }

  func start(at record: OwnerRecord) {
    record.add(self)
    observer?.add(self)
    var value = isOfBinding ? armedValue() : arm()
    // It replaces the value of the other side.
    if options.contains(.initial) { known.renumber() } else { value = nil }
    sent = known
    if let value { send(value, .initial, hop: -1) }
    workOff()
  }

  override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    disarm(after: -1)
    finalise()
    subscriber.completed()
  }

  // MARK: Hops

  /// The old hops are left after the new ones have been entered, so that a key which is still read
  /// keeps its version.
  private func arm() -> Value? {
    let left = takeHops(after: -1)
    defer { for hop in left { hop.dispose() } }
    hopCount = 0
    generation += 1
    known = KeyVersions()
    if isClosed { return nil }
    return Tracking(self).during(read)
  }

  private func watch(_ record: OwnerRecord, _ name: CText) {
    let key = KeyVersions.Key(record: record, name: name)
    if known.contains(key) { return }
    lastKey = hopCount
    let (hop, generation) = (hopCount, generation)
    // A binding watches all keys also while one of them changes.
    let asked: ObservationOptions = isOfBinding ? [.records, .binding] : [.prior, .records]
    hold(record.observe(PathKey(name, nil), asked)) { [weak self] sent in
      guard let items = (sent.entity as? ArrayBox)?.items else { return }
      let notes = ChangeNotes(rawValue: UInt32(truncatingIfNeeded: items[2].payload))
      self?.hear(Event(hop, generation, notes))
    }
    known.add(key)
  }

  private func watchDeath(of record: OwnerRecord) {
    if record === observer { return }
    let (hop, generation) = (hopCount, generation)
    hold(record.deallocating) { [weak self] _ in self?.hear(Event(hop, generation, .death)) }
  }

  /// Subscribes at a shared home, so that the changes are received on the thread that makes them.
  /// The thread that arms a hop may be any, and its loop may have gone before the next change.
  private func hold<Sent>(_ changes: Signal<Sent>, _ next: @escaping (Sent) -> Void) {
    let home = SharedHome()
    let hop = ClosureSubscription<Sent>(
      next, { [weak self] failure in self?.subscriber.error(failure) }, nil, nil, home)
    let code = changes.start(hop, owner: nil, at: home)
    if code.isFailure { subscriber.error(Failure(code)) }
    hopCount += 1
    let isOpen = lock.withLock {
      if !isClosed { hops.append(hop) }
      return !isClosed
    }
    if !isOpen { hop.dispose() }
  }

  private func disarm(after hop: Int) { for hop in takeHops(after: hop) { hop.dispose() } }

  private func takeHops(after hop: Int) -> ArraySlice<Disposable> {
    lock.withLock {
      let left = hops.dropFirst(hop + 1)
      hops.removeLast(left.count)
      return left
    }
  }

  // MARK: Changes

  override func process(_ change: Attachment) {
    if let event = change as? Event { return process(event) }
    // The other side of a binding has an older value, and must get this.
    guard !isClosed, let value = changedValue(isDead: false, again: true) else { return }
    send(value, [], hop: -1)
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
      let value = isOfBinding ? changedValue(isDead: event.notes.contains(.death)) : arm()
      guard let value else { return }
      send(value, event.notes, hop: event.hop, last: max(last, lastKey))
      old = nil
    }
  }

  /// Arms all hops, and reads the value with the versions that belong to it. Nil: a report of
  /// another change follows.
  private func armedValue() -> Value? {
    while let value = arm(), !known.isChanging {
      // A change may have been reported before the keys were watched.
      if known.isPresent { return value }
    }
    return nil
  }

  /// The same after a change of a key, or, with `isDead`, after the death of what it refers to. Nil
  /// also if the value has been sent, unless it is wanted again.
  private func changedValue(isDead: Bool, again: Bool = false) -> Value? {
    guard let value = armedValue() else { return nil }
    let versions = known.versions(since: sent)
    if versions.isEmpty && known.leads(where: sent) && !isDead {
      known = sent
      return again ? value : nil
    }
    // A value of which several keys have changed is as new as one of them only if one change has
    // set them all. The value behind a changed key is newer than all that is on its way to it.
    let isOneChange =
      !isDead && known.leads(where: sent) && versions.allSatisfy { $0 == known.version }
    // A value that was sent may come back through other bindings.
    let cameBack = isOneChange && sent.isRenumbered && known.version == sent.version
    if !cameBack && !(isOneChange && known.version > sent.version) { known.renumber() }
    sent = known
    if cameBack { return nil }
    return value
  }

  private func send(_ value: Value, _ notes: ChangeNotes, hop: Int, last: Int? = nil) {
    let change = KeyPathChange(
      value: value, old: old, isInitial: notes.contains(.initial),
      isPrior: notes.contains(.prior), isDeath: notes.contains(.death),
      affectsOnlyLast: hop >= 0 && hop >= (last ?? lastKey), versions: known)
    let code = subscriber.next(change)
    if code.isRefusal { fail(code) }
  }
}
